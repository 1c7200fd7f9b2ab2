// SPDX-License-Identifier: MIT
//
// The lists of servers on the internet: those of several directories, got again and again, and merged by the key of
// each server. Only what a directory has signed counts, and only by the key that it had before. The last list of each
// is kept on the disk, so that it goes on working while its directory does not answer, and its age is shown. A list is
// verified, kept and merged on a thread of its own, because 16,384 servers take a tenth of a second; where there are no
// threads, as in a browser's page, at once. Never blocks; time is an argument.
#ifndef APP_SERVERS_DIRECTORIES_H
#define APP_SERVERS_DIRECTORIES_H

#include <pthread.h>
#include <stdatomic.h>

#include "app/web/download.h"
#include "base/file.h"
#include "discovery/server_list.h"
#include "options/options.h"

/// Directories at once.
#define DIRECTORIES_MAX 8

/// A list that is to be read. All of it stays as it is until it is.
struct directory_reader_job {
    const char *text;                 ///< that a directory has sent; null: the file
    size_t byte_count;                ///< of the text
    const char *path;                 ///< where the list is kept; empty: nowhere
    char key[FINGERPRINT_TEXT_BYTES]; ///< of the directory; empty: any
    char host[64];                    ///< of the directory
    uint32_t count, index;            ///< of the lists; which of them is to be replaced
    const struct server_list *lists[DIRECTORIES_MAX];
};

/// What became of it.
struct directory_reader_result {
    bool is_good;              ///< the list is what it must be; else the error says what it is
    bool is_new;               ///< and not older than the one that is to be replaced: then both lists are set
    struct server_list list;   ///< in its place
    struct server_list merged; ///< of all, in their order; of a server in several the newest entry stays
    struct error error;
};

/// Reads one list after the other.
struct directory_reader {
    bool runs;
    pthread_t thread;
    bool has_thread;
    atomic_bool is_done;
    struct directory_reader_job job;
    struct directory_reader_result result;
};

/// Time between two looks at a list, and the least time after a search by hand, us.
#define DIRECTORIES_PERIOD_US 30000000u
#define DIRECTORIES_AGAIN_US  2000000u
/// The same while only the title wants it.
#define DIRECTORIES_REST_US 120000000u
/// Bytes of a sentence about them, with its final zero.
#define DIRECTORIES_TEXT_BYTES 256

/// What is wrong with the newest answer of a directory.
enum directory_fault {
    DIRECTORY_FINE,
    DIRECTORY_WAITS,    ///< no answer has come yet
    DIRECTORY_SILENT,   ///< it does not answer, or too late
    DIRECTORY_HAS_NONE, ///< it answers with another status than 200
    DIRECTORY_FLOODS,   ///< it sends more bytes than a list may have
    DIRECTORY_LIES,     ///< what it sends is no list, or not signed by its key
};

/// One directory.
struct directory_source {
    char url[DOWNLOAD_URL_BYTES];     ///< of its list
    char host[64];                    ///< of that, for people
    char key[FINGERPRINT_TEXT_BYTES]; ///< of the directory; empty: that of the first list
    char path[FILE_PATH_BYTES];       ///< where its list is kept; empty: nowhere
    enum directory_fault fault;
    char reason[ERROR_TEXT_BYTES]; ///< of the fault, for the log
    uint64_t next_us;              ///< when to ask; 0: at once
    struct download download;
    bool has_kept, has_answer; ///< a list that was kept, or has come, is still to be read
    struct server_list list;   ///< the last good one
};

/// All of them. Zero-initialise.
struct directories {
    uint32_t count;
    struct directory_source sources[DIRECTORIES_MAX];
    struct server_list merged;      ///< of all; each server once
    uint32_t changes;               ///< grows when `merged` or a fault changes
    struct directory_reader reader; ///< of what has come
};

/// Splits http[s]://HOST[:PORT][/PATH][#KEY] into the URL of a list and the key; a path that does not end in .json is a
/// folder with servers.json in it. Returns false if it has another form.
bool directories_parse(const char *text, char url[DOWNLOAD_URL_BYTES], char key[FINGERPRINT_TEXT_BYTES]);

/// Writes the URL at which the directory takes announcements: http://HOST[:PORT][/PATH]. Returns false if there is
/// none: announcements are signed and public, and so travel by http alone.
bool directories_announce_url(const char *text, char url[DOWNLOAD_URL_BYTES]);

/// Takes these directories in place of the previous ones, with the lists that were kept in a folder (empty: none are).
/// Those that have no right form are left out. Without memory there are fewer.
void directories_open(struct directories *directories, const struct option_list *texts, const char *folder);
void directories_close(struct directories *directories);

/// Lets all be asked again at once, but no more often than every DIRECTORIES_AGAIN_US.
void directories_refresh(struct directories *directories, uint64_t now_us);
/// Asks those that are due, and takes what they have sent and the reader has read; each is due again after a period.
void directories_step(struct directories *directories, uint64_t now_us, uint64_t period_us);
/// Writes a sentence about what is wrong, or how old the lists are; `unix_s`: the time since 1970.
void directories_describe(const struct directories *directories, int64_t unix_s, char text[DIRECTORIES_TEXT_BYTES]);

#endif
