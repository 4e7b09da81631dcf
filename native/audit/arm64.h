/*
 * The code of a slot on arm64, and the names of its relocations. Included by thunks.h alone.
 */
#ifndef COUNT_ARM64_H
#define COUNT_ARM64_H

#define RELOCATION_GLOBAL R_AARCH64_GLOB_DAT
#define RELOCATION_PLT R_AARCH64_JUMP_SLOT
#define RELOCATION_POINTER R_AARCH64_ABS64
#define RELOCATION_RELATIVE R_AARCH64_RELATIVE
#define RELOCATION_RESOLVED R_AARCH64_IRELATIVE

#define SUM_POSITIONS 8
#define STACK_LEAST 131072u /* PTHREAD_STACK_MIN: a size below is an error */
#define THUNK_BYTES 192u
#define SLOT_BYTES 256u
#define HAS_ATOMICS (1ul << 8) /* HWCAP_ATOMICS: the processor adds to memory in one instruction */
#define AUXILIARY_HWCAP 16

static bool has_atomics;

static inline uint32_t *code_word(uint32_t *code, uint32_t word)
{
    *code = word;
    return code + 1;
}

/* adrp x16, the page of an address */
static inline uint32_t *code_page(uint32_t *code, const void *address)
{
    const int64_t pages = ((int64_t)address >> 12) - ((int64_t)code >> 12);

    return code_word(code, 0x90000010u | ((uint32_t)pages & 3) << 29 | ((uint32_t)(pages >> 2) & 0x7ffff) << 5);
}

static inline uint32_t in_page(const void *address)
{
    return (uint32_t)(uintptr_t)address & 0xfff;
}

/* adrp x16, then an instruction that reads or writes x16 plus the rest of the address, a multiple of 8 */
static inline uint32_t *code_at(uint32_t *code, uint32_t instruction, const void *address)
{
    code = code_page(code, address);
    return code_word(code, instruction | in_page(address) / 8 << 10 | 16u << 5);
}

/* Add a register, or 1 where there is none, to what x16 points to. */
static inline uint32_t *code_add(uint32_t *code, int reg)
{
    if (has_atomics) {
        if (reg < 0)
            code = code_word(code, 0xd2800031u); /* mov x17, #1 */
        return code_word(code, 0xf820021fu | (uint32_t)(reg < 0 ? 17 : reg) << 16); /* stadd reg, [x16] */
    }
    code = code_word(code, 0xc85f7e11u); /* ldxr x17, [x16] */
    code = code_word(code, reg < 0 ? 0x91000631u : 0x8b000231u | (uint32_t)reg << 16); /* add x17, x17, reg */
    code = code_word(code, 0xc80f7e11u); /* stxr w15, x17, [x16] */
    return code_word(code, 0x35ffffafu); /* cbnz w15, ldxr */
}

#define BTI_C 0xd503245fu
#define LDR 0xf9400000u
#define STR 0xf9000000u

/* Call the target and compare what it returns. The frame has the argument and the return address. Returns the position
 * after the code. */
static inline uint32_t *slot_write_call(const struct slot *slot, uint32_t *code)
{
    /* the condition where the result is right: eq, ne, pl, eq */
    static const unsigned char conditions[] = {
        [MUST_BE_ZERO] = 0, [MUST_BE_NOT_ZERO] = 1, [MUST_BE_NOT_NEGATIVE] = 5, [MUST_BE_ARGUMENT] = 0};
    const uint32_t wide = slot->result.narrow ? 0 : 1u << 31;
    const char *const wrong = slot->counter + offsetof(struct counter, wrong);

    code = code_word(code, 0xa9bf7be0u | (uint32_t)slot->result.position); /* stp argument, x30, [sp, #-16]! */
    code = code_at(code, LDR | 16, &slot->target->function);
    code = code_word(code, 0xd63f0200u); /* blr x16 */
    code = code_word(code, 0xa8c17bf1u); /* ldp x17, x30, [sp], #16 */
    if (slot->result.must_be == MUST_BE_ARGUMENT)
        code = code_word(code, wide | 0x6b11001fu); /* cmp x0, x17, or w0, w17 */
    else
        code = code_word(code, wide | 0x7100001fu); /* cmp x0, #0, or w0, #0 */
    uint32_t *const right = code;
    code = code_word(code, 0x54000000u | conditions[slot->result.must_be]); /* to the return */
    code = code_page(code, wrong);
    code = code_word(code, 0x91000210u | in_page(wrong) << 10); /* add x16, x16, wrong */
    code = code_add(code, -1);
    *right |= (uint32_t)(code - right) << 5;
    return code_word(code, 0xd65f03c0u); /* ret */
}

static inline void slot_write_thunk(const struct slot *slot)
{
    uint32_t *code = code_word((uint32_t *)slot->code, BTI_C);
    uint32_t *inside = NULL;

    if (slot->own != NULL) {
        code = code_page(code, slot->own);
        code = code_word(code, 0x91000210u | in_page(slot->own) << 10); /* add x16, x16, own */
        code = code_word(code, 0xa9404610u);                            /* ldp x16, x17, [x16] */
        code = code_word(code, 0xcb1003d0u);                            /* sub x16, x30, x16 */
        code = code_word(code, 0xeb11021fu);                            /* cmp x16, x17 */
        inside = code;
        code = code_word(code, 0x54000003u); /* b.lo, past the counting */
    }
    code = code_page(code, slot->counter);
    code = code_word(code, 0x91000210u | in_page(slot->counter) << 10); /* add x16, x16, counter */
    code = code_add(code, -1);
    if (slot->position != NO_SUM) {
        code = code_word(code, 0x91002210u); /* add x16, x16, #8 */
        if (slot->narrow)
            code = code_word(code, 0x2a0003eeu | (uint32_t)slot->position << 16); /* mov w14, argument */
        code = code_add(code, slot->narrow ? 14 : slot->position);
    }
    if (slot->grown != 0) {
        code = code_word(code, 0xf140003fu | STACK_LEAST >> 12 << 10); /* cmp x1, least */
        code = code_word(code, 0x54000043u);                           /* b.lo, past the next */
        code = code_word(code, 0x91400021u | slot->grown >> 12 << 10); /* add x1, x1, grown */
    }
    if (slot->entry != NULL) {
        code = code_page(code, slot->target);
        code = code_word(code, 0x91000211u | in_page(slot->target) << 10); /* add x17, x16, target */
        code = code_at(code, LDR | 16, slot->entry);
        code = code_word(code, 0xaa1e03efu); /* mov x15, x30 */
        code = code_word(code, 0xd63f0200u); /* blr x16 */
    }
    if (slot->result.must_be != MUST_BE_ANYTHING) {
        code = slot_write_call(slot, code);
        if (inside == NULL)
            return;
    }
    if (inside != NULL)
        *inside |= (uint32_t)(code - inside) << 5;
    code = code_at(code, LDR | 16, &slot->target->function);
    code_word(code, 0xd61f0200u); /* br x16 */
}

static inline void slot_write_self(const struct slot *slot)
{
    uint32_t *code = code_word((uint32_t *)(slot->code + THUNK_BYTES), BTI_C);

    code = code_at(code, LDR, &slot->target->function);
    code_word(code, 0xd65f03c0u); /* ret */
}

static inline void slot_write_resolver(const struct slot *slot)
{
    uint32_t *code = code_word((uint32_t *)(slot->code + THUNK_BYTES), BTI_C);

    code = code_word(code, 0xa9bf7bfdu); /* stp x29, x30, [sp, #-16]! */
    code = code_at(code, LDR | 16, &slot->target->resolver);
    code = code_word(code, 0xd63f0200u); /* blr x16 */
    code = code_at(code, STR, &slot->target->function);
    const uint32_t back = (uint32_t)(slot->code - (char *)code);
    code = code_word(code, 0x10000000u | (back & 3) << 29 | (back >> 2 & 0x7ffff) << 5); /* adr x0, thunk */
    code = code_word(code, 0xa8c17bfdu);                                               /* ldp x29, x30, [sp], #16 */
    code_word(code, 0xd65f03c0u);                                                      /* ret */
}

/* Call `entered` with the target that x17 points to and the return address x15, which becomes that of the function again.
 * All that may have a value at the entry of a function is kept. */
__asm__("    .pushsection .text\n"
        "    .type entry, %function\n"
        "entry:\n"
        "    hint 34\n" /* bti c */
        "    stp x29, x15, [sp, #-96]!\n"
        "    stp x0, x1, [sp, #16]\n    stp x2, x3, [sp, #32]\n    stp x4, x5, [sp, #48]\n"
        "    stp x6, x7, [sp, #64]\n    stp x8, x30, [sp, #80]\n"
        "    mov x1, x17\n    mov x2, x15\n"
        "    bl entered\n"
        "    ldp x8, x16, [sp, #80]\n    ldp x6, x7, [sp, #64]\n    ldp x4, x5, [sp, #48]\n"
        "    ldp x2, x3, [sp, #32]\n    ldp x0, x1, [sp, #16]\n    ldp x29, x30, [sp], #96\n"
        "    ret x16\n"
        "    .size entry, .-entry\n"
        "    .popsection\n");

/* A number that no other running thread has: the address of its thread control block. */
static inline uintptr_t thread_pointer(void)
{
    uintptr_t pointer;

    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
    return pointer;
}

static inline void thunks_prepare(void)
{
    const int file = system_open("/proc/self/auxv", O_RDONLY);
    uint64_t entry[2];

    if (file < 0)
        return;
    while (system_read(file, entry, sizeof entry) == (long)sizeof entry && entry[0] != 0)
        if (entry[0] == AUXILIARY_HWCAP)
            has_atomics = (entry[1] & HAS_ATOMICS) != 0;
    system_close(file);
}

/* Make written code visible to instruction fetches, as __clear_cache of libgcc does; see "Ordering and
 * completion of cache maintenance" in the Arm Architecture Reference Manual. */
static inline void thunks_flush(char *start, char *end)
{
    uint64_t sizes;

    __asm__("mrs %0, ctr_el0" : "=r"(sizes));
    const uintptr_t data_line = 4ul << (sizes >> 16 & 15);
    const uintptr_t code_line = 4ul << (sizes & 15);
    for (uintptr_t at = (uintptr_t)start & -data_line; at < (uintptr_t)end; at += data_line)
        __asm__ volatile("dc cvau, %0" ::"r"(at) : "memory");
    __asm__ volatile("dsb ish" ::: "memory");
    for (uintptr_t at = (uintptr_t)start & -code_line; at < (uintptr_t)end; at += code_line)
        __asm__ volatile("ic ivau, %0" ::"r"(at) : "memory");
    __asm__ volatile("dsb ish\n\tisb" ::: "memory");
}

#endif
