/*
 * The code of a slot on x86-64, and the names of its relocations. Included by thunks.h alone.
 */
#ifndef COUNT_X86_64_H
#define COUNT_X86_64_H

#define RELOCATION_GLOBAL R_X86_64_GLOB_DAT
#define RELOCATION_PLT R_X86_64_JUMP_SLOT
#define RELOCATION_POINTER R_X86_64_64
#define RELOCATION_RELATIVE R_X86_64_RELATIVE
#define RELOCATION_RESOLVED R_X86_64_IRELATIVE

#define SUM_POSITIONS 6
#define STACK_LEAST 16384 /* PTHREAD_STACK_MIN: a size below is an error */
#define THUNK_BYTES 128u
#define SLOT_BYTES 192u

/* Write `count` bytes of code, the lowest first; return the position after them. */
static inline char *code_bytes(char *code, uint64_t bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        *code++ = (char)(bytes >> 8 * i);
    return code;
}

/* Write an instruction that ends with the relative offset of an address. */
static inline char *code_relative(char *code, uint64_t bytes, unsigned count, const void *address)
{
    char *const end = code_bytes(code, bytes, count) + 4;

    return code_bytes(end - 4, (uint32_t)((const char *)address - end), 4);
}

#define ENDBR64 0xfa1e0ff3u, 4

static const unsigned char argument_registers[SUM_POSITIONS] = {7, 6, 2, 1, 8, 9}; /* rdi rsi rdx rcx r8 r9 */

/* Call the target and compare what it returns. The argument is kept on the stack, where something has to be in any
 * case, to align it. Returns the position after the code. */
static inline char *slot_write_call(const struct slot *slot, char *code)
{
    /* the jump where the result is right: je, jne, jns, je */
    static const unsigned char jumps[] = {
        [MUST_BE_ZERO] = 0x74, [MUST_BE_NOT_ZERO] = 0x75, [MUST_BE_NOT_NEGATIVE] = 0x79, [MUST_BE_ARGUMENT] = 0x74};
    const char *const wrong = slot->counter + offsetof(struct counter, wrong);
    const bool wide = !slot->result.narrow;
    const unsigned reg = argument_registers[slot->result.position];

    if ((reg & 8) != 0)
        code = code_bytes(code, 0x41, 1);
    code = code_bytes(code, 0x50u | (reg & 7), 1);                  /* push reg */
    code = code_relative(code, 0x15ff, 2, &slot->target->function); /* call *target(%rip) */
    code = code_bytes(code, 0x5b41, 2);                             /* pop %r11 */
    if (slot->result.must_be == MUST_BE_ARGUMENT)
        code = code_bytes(code, wide ? 0xd8394cu : 0xd83944u, 3);   /* cmp %r11, %rax, or %r11d, %eax */
    else if (wide)
        code = code_bytes(code, 0xc08548, 3);                       /* test %rax, %rax */
    else
        code = code_bytes(code, 0xc085, 2);                         /* test %eax, %eax */
    code = code_bytes(code, 0x0800u | jumps[slot->result.must_be], 2); /* past the next, which has 8 bytes */
    code = code_relative(code, 0x05ff48f0, 4, wrong);               /* lock incq wrong(%rip) */
    return code_bytes(code, 0xc3, 1);                               /* ret */
}

static inline void slot_write_thunk(const struct slot *slot)
{
    char *code = code_bytes(slot->code, ENDBR64);
    char *inside = NULL;

    if (slot->own != NULL) {
        code = code_bytes(code, 0x241c8b4c, 4);                      /* mov (%rsp), %r11 */
        code = code_relative(code, 0x1d2b4c, 3, &slot->own->start);  /* sub start(%rip), %r11 */
        code = code_relative(code, 0x1d3b4c, 3, &slot->own->bytes);  /* cmp bytes(%rip), %r11 */
        inside = code = code_bytes(code, 0x0072, 2);                 /* jb, past the counting */
    }
    code = code_relative(code, 0x05ff48f0, 4, slot->counter); /* lock incq counter(%rip) */
    if (slot->position != NO_SUM) {
        unsigned reg = argument_registers[slot->position];

        if (slot->narrow) {
            code = code_bytes(code, 0x41u | (reg & 8) >> 1, 1); /* movl reg, %r11d */
            code = code_bytes(code, 0xc389u | (reg & 7) << 11, 2);
            reg = 11;
        }
        code = code_bytes(code, 0x48f0u | (reg & 8) << 7, 2); /* lock addq reg, sum(%rip) */
        code = code_relative(code, 0x0501u | (reg & 7) << 11, 2, slot->counter + 8);
    }
    if (slot->grown != 0) {
        code = code_bytes(code_bytes(code, 0xfe8148, 3), STACK_LEAST, 4);  /* cmp $least, %rsi */
        code = code_bytes(code, 0x0772, 2);                                /* jb, past the next */
        code = code_bytes(code_bytes(code, 0xc68148, 3), slot->grown, 4);  /* add $grown, %rsi */
    }
    if (slot->entry != NULL) {
        code = code_relative(code, 0x1d8d4c, 3, slot->target); /* lea target(%rip), %r11 */
        code = code_relative(code, 0x15ff, 2, slot->entry);    /* call *entry(%rip) */
    }
    if (slot->result.must_be != MUST_BE_ANYTHING) {
        code = slot_write_call(slot, code);
        if (inside == NULL)
            return;
    }
    if (inside != NULL)
        inside[-1] = (char)(code - inside);
    code_relative(code, 0x25ff, 2, &slot->target->function); /* jmp *target(%rip) */
}

static inline void slot_write_self(const struct slot *slot)
{
    char *code = code_bytes(slot->code + THUNK_BYTES, ENDBR64);

    code = code_relative(code, 0x058b48, 3, &slot->target->function); /* mov target(%rip), %rax */
    code_bytes(code, 0xc3, 1);                                        /* ret */
}

static inline void slot_write_resolver(const struct slot *slot)
{
    char *code = code_bytes(slot->code + THUNK_BYTES, ENDBR64);

    code = code_bytes(code, 0x51, 1);                                     /* push %rcx, to align the stack */
    code = code_relative(code, 0x15ff, 2, &slot->target->resolver);       /* call *resolver(%rip) */
    code = code_relative(code, 0x058948, 3, &slot->target->function);     /* mov %rax, target(%rip) */
    code = code_relative(code, 0x058d48, 3, slot->code);                  /* lea thunk(%rip), %rax */
    code_bytes(code, 0xc359, 2);                                          /* pop %rcx; ret */
}

/* Call `entered` with the target that r11 points to. All that may have a value at the entry of a function is kept. The
 * eight pushes leave the stack aligned, as the two return addresses above do. */
__asm__("    .pushsection .text\n"
        "    .type entry, @function\n"
        "entry:\n"
        "    endbr64\n"
        "    push %rdi\n    push %rsi\n    push %rdx\n    push %rcx\n    push %r8\n"
        "    push %r9\n    push %r10\n    push %rax\n"
        "    mov %r11, %rsi\n    mov 72(%rsp), %rdx\n"
        "    call entered\n"
        "    pop %rax\n    pop %r10\n    pop %r9\n"
        "    pop %r8\n    pop %rcx\n    pop %rdx\n    pop %rsi\n    pop %rdi\n"
        "    ret\n"
        "    .size entry, .-entry\n"
        "    .popsection\n");

/* A number that no other running thread has: the address of its thread control block. */
static inline uintptr_t thread_pointer(void)
{
    uintptr_t pointer;

    __asm__ volatile("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
}

static inline void thunks_prepare(void) {}

static inline void thunks_flush(char *start, char *end)
{
    (void)start, (void)end; /* this processor needs no flush */
}

#endif
