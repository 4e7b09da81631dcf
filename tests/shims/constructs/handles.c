/* What crosses as an address: of what the library made, keeps, or points into. */

#include "constructs.h"

#include <stdlib.h>
#include <string.h>

struct account {
    char owner[32];
};

int account_open(const char *owner, struct account **out)
{
    *out = NULL;
    if (strlen(owner) >= 32)
        return -1;
    *out = malloc(sizeof **out);
    strcpy((*out)->owner, owner);
    return 0;
}

int account_owner_length(const struct account *account)
{
    return account == NULL ? -1 : (int)strlen(account->owner);
}

bool account_same(const struct account *one, const struct account *other)
{
    return one == other;
}

void account_close(struct account *account)
{
    free(account);
}

int number_in(const char *text, const char **tail)
{
    char *end;
    const int number = (int)strtol(text, &end, 10);
    if (tail != NULL)
        *tail = *end == '\0' ? NULL : end;
    return number;
}

int length_from(const char *tail)
{
    return tail == NULL ? -1 : (int)strlen(tail);
}

static const char *const names[] = {"zero", "three"};

int named(const char *const *all, int index)
{
    return (int)strlen(all[index]);
}

const char *const *all_names(void)
{
    return names;
}

union either *either_new(int number)
{
    static union either made;
    made.number = number;
    return number < 0 ? NULL : &made;
}

int either_number(const union either *either)
{
    return either == NULL ? -1 : either->number;
}

struct flags *flags_new(int low)
{
    static struct flags made;
    made.low = low & 3;
    return &made;
}

int flags_low(const struct flags *flags)
{
    return flags->low;
}

const uint8_t *digest_of(int number)
{
    static uint8_t bytes[4];
    bytes[0] = (uint8_t)number;
    return bytes;
}

int digest_first(const uint8_t *digest)
{
    return digest == NULL ? -1 : digest[0];
}

bool digest_given(const uint8_t *digest)
{
    return digest != NULL;
}
