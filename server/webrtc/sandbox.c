// SPDX-License-Identifier: MIT
#include "sandbox.h"

#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define MEMORY_BYTES_MAX (UINT64_C(512) << 20)

static const int ALLOWED[] = {SCMP_SYS(read),
                              SCMP_SYS(recvfrom),
                              SCMP_SYS(recv),
                              SCMP_SYS(sendto),
                              SCMP_SYS(send),
                              SCMP_SYS(write),
                              SCMP_SYS(poll),
                              SCMP_SYS(ppoll),
                              SCMP_SYS(brk),
                              SCMP_SYS(munmap),
                              SCMP_SYS(mremap),
                              SCMP_SYS(madvise),
                              SCMP_SYS(futex),
                              SCMP_SYS(getrandom),
                              SCMP_SYS(getpid),
                              SCMP_SYS(clock_gettime),
                              SCMP_SYS(clock_gettime64),
                              SCMP_SYS(time),
                              SCMP_SYS(ppoll_time64),
                              SCMP_SYS(gettimeofday),
                              SCMP_SYS(rt_sigreturn),
                              SCMP_SYS(exit),
                              SCMP_SYS(exit_group),
                              SCMP_SYS(restart_syscall),
                              SCMP_SYS(getrusage)};

// Allowed for memory that is no code.
static const int MAPS[] = {SCMP_SYS(mmap), SCMP_SYS(mmap2)};

static void limit(__rlimit_resource_t resource, rlim_t most)
{
    setrlimit(resource, &(struct rlimit){most, most});
}

bool sandbox_enter(struct error *error)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_NPROC, 0);
    limit(RLIMIT_NOFILE, 1);   // that many poll() takes
    if (!SANDBOX_IS_SANITIZED) // the shadow is larger
        limit(RLIMIT_AS, (rlim_t)MEMORY_BYTES_MAX);
    prctl(PR_SET_DUMPABLE, 0);
    scmp_filter_ctx filter = seccomp_init(SANDBOX_IS_SANITIZED ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_KILL_PROCESS);
    bool good = filter != NULL;
    for (size_t i = 0; good && i < sizeof ALLOWED / sizeof *ALLOWED; i++)
        good = seccomp_rule_add(filter, SCMP_ACT_ALLOW, ALLOWED[i], 0) == 0;
    for (size_t i = 0; good && i < sizeof MAPS / sizeof *MAPS; i++)
        good = seccomp_rule_add(filter, SCMP_ACT_ALLOW, MAPS[i], 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) == 0;
    if (SANDBOX_IS_SANITIZED) // so that it can end
        good = good && seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(sigaltstack), 0) == 0;
    // usrsctp asks the kernel for the machine's addresses, and does without them.
    good = good && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 0) == 0;
    good = good && seccomp_load(filter) == 0;
    int reason = errno;
    seccomp_release(filter);
    return good || error_set(error, "the sandbox cannot be entered: %s", strerror(reason));
}
