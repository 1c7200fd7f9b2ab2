// SPDX-License-Identifier: MIT
#include "ban_file.h"

#include <errno.h>
#include <string.h>

static void run(struct worker_job *job)
{
    struct ban_file *file = (struct ban_file *)job; // its first field
    file->fault = ban_list_write(&file->copy, file->path, file->copied_s) ? 0 : errno;
}

static void finish(struct ban_file *file)
{
    answers_give(&file->writings, file->begun, file->fault ? ANSWER_FAILED : ANSWER_DONE,
                 file->fault ? strerror(file->fault) : NULL);
}

void ban_file_update(struct ban_file *file)
{
    if (file->worker && worker_is_busy(file->worker, &file->job))
        return;
    finish(file);
    if (answers_open(&file->writings) == 0)
        return;
    file->begun = file->writings.asked;
    file->copied_s = file->unix_time();
    memcpy(&file->copy, file->bans, offsetof(struct ban_list, rows) + file->bans->count * sizeof *file->bans->rows);
    file->job.run = run;
    if (file->worker) {
        worker_ask(file->worker, &file->job);
    } else {
        run(&file->job);
        finish(file);
    }
}

uint64_t ban_file_save(struct ban_file *file)
{
    uint64_t number = answers_ask(&file->writings);
    ban_file_update(file);
    return number;
}
