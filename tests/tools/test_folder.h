// SPDX-License-Identifier: MIT
//
// A folder in /tmp for the tests of a file: ALL_TESTS(test_folder_make, test_folder_remove), or EACH_TEST. Names are
// those of files in it, and what goes wrong fails the test.
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

/// Makes the folder, empty; and removes it with all that is in it.
void test_folder_make(void);
void test_folder_remove(void);

/// The path of a file in it, and for "" its own. Only the last eight are kept.
const char *test_folder_path(const char *name);

/// Writes a file, and returns what one says, which is kept until the next call.
void test_folder_write(const char *name, const char *text);
const char *test_folder_read(const char *name);

/// Runs a line of the shell there, which must end well.
void test_folder_run(const char *line);

#endif
