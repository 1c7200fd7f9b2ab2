// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "webrtc/sandbox.h"

enum { DONE = 0, REFUSED = 3, FAILED = 4, PAGE_BYTES = 4096 };
enum what { MEMORY, CODE, MEMORY_TO_CODE, MEMORY_FILE, CHILD, WHATS };

static bool try(enum what what)
{
    int none = PROT_READ | PROT_WRITE, code = none | PROT_EXEC, own = MAP_PRIVATE | MAP_ANONYMOUS;
    uint8_t *memory = mmap(NULL, PAGE_BYTES, what == CODE ? code : none, own, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    memory[0] = 1;
    switch (what) {
    case MEMORY:
    case CODE:
        return munmap(memory, PAGE_BYTES) == 0;
    case MEMORY_TO_CODE:
        return mprotect(memory, PAGE_BYTES, code) == 0;
    case MEMORY_FILE:
        return open("/dev/null", O_RDONLY) >= 0;
    case CHILD:
        return fork() >= 0;
    case WHATS:
        break;
    }
    return false;
}

// It fails with a sanitizer, and ends the process without one.
TEST(the_sandbox_has_memory_and_no_code_files_or_children)
{
    for (enum what what = MEMORY; what < WHATS; what++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            struct error error;
            _exit(!sandbox_enter(&error) ? FAILED : try(what) ? DONE : REFUSED);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        bool is_refused = SANDBOX_IS_SANITIZED ? WIFEXITED(status) && WEXITSTATUS(status) == REFUSED
                                               : WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
        bool is_done = WIFEXITED(status) && WEXITSTATUS(status) == DONE;
        if (what == MEMORY ? !is_done : !is_refused)
            fail_msg("row %d: status %d", what, status);
    }
}
