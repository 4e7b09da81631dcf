<?php

// What generated loops have in common: answers as exact text, as native/kits/c/ffibench_calls.h writes them.

declare(strict_types=1);

final class Calls
{
    /** Of memory that is longer so many bytes are compared, spread evenly. */
    private const MEMORY_BYTES_MAX = 64;

    /** Bytes that count 0, 1 .. 255, 0 .. */
    public static function counting(int $size): string
    {
        return substr(str_repeat(pack('C*', ...range(0, 255)), intdiv($size, 256) + 1), 0, $size);
    }

    /** The copy of a text that the caller must free; null for NULL. */
    public static function owned(FFI $native, ?FFI\CData $text, string $free): ?string
    {
        if ($text === null) {
            return null;
        }
        $copy = FFI::string($text);
        $native->$free($text);
        return $copy;
    }

    /** The 16 hexadecimal digits of a floating-point number's bits. */
    public static function real(float $value): string
    {
        return bin2hex(pack('E', $value));
    }

    public static function text(?string $text): string
    {
        return $text === null ? 'NULL' : bin2hex($text);
    }

    public static function address(?FFI\CData $address): string
    {
        return $address === null ? 'NULL' : 'not NULL';
    }

    /** The integer at a place in a cell or a struct, `[0]` or `inner.x` or `items[2]`. */
    public static function integer(FFI\CData $of, string $path): int|Unsigned
    {
        $type = FFI::typeof($of);
        foreach (preg_split('/[.\[\]]+/', $path, -1, PREG_SPLIT_NO_EMPTY) as $part) {
            $inArray = $type->getKind() === FFI\CType::TYPE_ARRAY;
            $of = $inArray ? $of[(int) $part] : $of->$part;
            $type = $inArray ? $type->getArrayElementType() : $type->getStructFieldType($part);
        }
        return $type->getKind() === FFI\CType::TYPE_UINT64 ? new Unsigned($of) : (int) $of;
    }

    /** The hexadecimal digits of memory. */
    public static function memory(FFI\CData $memory, int $size): string
    {
        $bytes = $size === 0 ? '' : FFI::string($memory, $size);
        $last = self::MEMORY_BYTES_MAX - 1;
        if ($size > self::MEMORY_BYTES_MAX) {
            $spread = fn (int $each): string => $bytes[intdiv($each * ($size - 1), $last)];
            $bytes = implode('', array_map($spread, range(0, $last)));
        }
        return bin2hex($bytes);
    }

    /** What follows the call that gave another answer than in C. */
    public static function wrong(string $what): never
    {
        throw new UnexpectedValueException($what);
    }
}

/** An integer without a sign, whose upper half PHP holds as negative numbers: the same 64 bits. */
final class Unsigned
{
    public function __construct(public int $bits)
    {
    }
}
