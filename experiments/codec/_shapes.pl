# The shapes of codec in Perl: the messages that are timed, the fixtures, and both ways to encode and decode them.
#
# A message is an array of its fields. A block is laid out by `pack`, and comes by reference, since an argument that is
# assigned to a variable is copied. Texts are strings of characters; UTF-8 is checked as Perl does, by utf8::decode here
# and by validate_utf8 in CBOR::XS. Both take the surrogates and the numbers over U+10FFFF that Perl's own UTF-8 has.
package Shapes;

use strict;
use warnings;

use CBOR::XS ();
use Exporter 'import';

our @EXPORT = qw(FIRST_NUMBER ROTATED as_fields block_window coders decoded encoded fixtures timed varied);

use constant FIRST_NUMBER => 100_000;
use constant ROTATED      => 8;         # messages in a row that differ

my $SHORT_TEXT = 16;
my $ODD_TEXT   = "\x{e9}\x{20ac}\x{1f600}";
my $ODD_TIMES  = 100;

my ($REQUEST_BYTES, $RESPONSE_BYTES, $COMPLEX_BYTES, $SPAN_BYTES) = (16, 16, 24, 8);

my $SHORT    = "a block is shorter than its head\n";
my $OUTSIDE  = "an offset or a count leads out of the block\n";
my $NOT_UTF8 = "a text is not UTF-8\n";

# Without text_strings a string whose characters are all bytes would be encoded as bytes: right for a payload alone.
my $texts = CBOR::XS->new->validate_utf8->text_strings;
my $bytes = CBOR::XS->new->validate_utf8;

my %CODERS = (
    request  => { number => 0, cbor => $texts, to_block => \&request_block,  from_block => \&block_request },
    response => { number => 1, cbor => $texts, to_block => \&response_block, from_block => \&block_response },
    complex  => { number => 2, cbor => $texts, to_block => \&complex_block,  from_block => \&block_complex },
    payload  => { number => 3, cbor => $bytes, to_block => \&payload_block,  from_block => \&block_payload },
);

sub coders {
    my ($shape) = @_;
    return %{ $CODERS{$shape} };
}

# The message that is timed, with a reference to its field that varies and the values that this takes in turn; without
# them it is a number that grows.
sub timed {
    my ($shape, $size) = @_;
    if ($shape eq 'request') {
        my @message = ('hello from the other side', FIRST_NUMBER);
        return (message => \@message, field => \$message[1], turns => undef);
    }
    if ($shape eq 'response') {
        my @message = ('status: everything is fine', '');
        my @turns   = map { 'x' x ($SHORT_TEXT + $_) } 0 .. ROTATED - 1;
        return (message => \@message, field => \$message[1], turns => \@turns);
    }
    if ($shape eq 'complex') {
        my @items = (['first item', FIRST_NUMBER], ['second item', 1], ['third item', -2]);
        my @tags  = qw(alpha beta gamma delta);
        return (message => [\@items, \@tags, 'a note, which may be absent'], field => \$items[0][1], turns => undef);
    }
    my $pattern = join '', map { chr((7 * $_ + 3) % 256) } 0 .. 255;
    my @message = (substr $pattern x ($size / 256 + 1), 0, $size);
    return (message => \@message, field => \substr($message[0], -1), turns => [map { chr } 0 .. 255]);
}

# What is empty or absent, what is little, and extremes.
sub fixtures {
    my ($shape) = @_;
    my $odd = $ODD_TEXT x $ODD_TIMES;
    return (['', 0], ['a', -1], [$odd, 9223372036854775807]) if $shape eq 'request';
    return (['', ''], ['a', ''], [$odd, 'z' x 300]) if $shape eq 'response';
    return ([''], ["\0"], [join('', map { chr } 0 .. 255) x 4]) if $shape eq 'payload';
    my @items = map { [$ODD_TEXT, -9223372036854775808] } 1 .. $ODD_TIMES;
    return ([[], [], undef], [[['', 0]], [''], undef], [\@items, [($ODD_TEXT) x $ODD_TIMES], '']);
}

# The timed message of a case as it is in an iteration.
sub varied {
    my ($bench, $iteration) = @_;
    my ($field, $turns) = @{$bench}{qw(field turns)};
    ${$field} = $turns ? $turns->[$iteration % @{$turns}] : FIRST_NUMBER + $iteration;
    return $bench->{message};
}

# What the loops do, outside of them: a case has a coder of CBOR, or uses the block.
sub encoded {
    my ($bench, $message) = @_;
    return $bench->{cbor} ? $bench->{cbor}->encode($message) : $bench->{to_block}->($message);
}

sub decoded {
    my ($bench, $answer) = @_;
    return $bench->{cbor} ? $bench->{cbor}->decode(${$answer}) : $bench->{from_block}->($answer, length ${$answer});
}

# Writes fields out as bytes, as `as_fields` of _messages.py does. A text that nobody decoded is encoded once too often,
# and a number that became a string is written as one, so that either is seen.
sub as_fields {
    my ($field, $is_bytes) = @_;
    return '-' if !defined $field;
    return join '', scalar @{$field}, '[', (map { as_fields($_, $is_bytes) } @{$field}), ']' if ref $field;
    return "$field;" if !utf8::is_utf8($field) && ($field ^ $field) eq '0';    # of two strings it is a string
    utf8::encode($field) if !$is_bytes;
    return length($field) . ":$field";
}

sub request_block {
    my ($text, $number) = @{ $_[0] };
    utf8::encode($text);
    return pack('VVq<', $REQUEST_BYTES, length $text, $number) . $text;
}

sub block_request {
    my ($block, $length) = @_;
    die $SHORT if $length < $REQUEST_BYTES;
    my ($at, $size, $number) = unpack 'VVq<', ${$block};
    die $OUTSIDE if $at + $size > $length;
    utf8::decode(my $text = substr ${$block}, $at, $size) or die $NOT_UTF8;
    return [$text, $number];
}

sub response_block {
    my ($first, $second) = @{ $_[0] };
    utf8::encode($first);
    utf8::encode($second);
    my $size = length $first;
    return pack('VVVV', $RESPONSE_BYTES, $size, $RESPONSE_BYTES + $size, length $second) . $first . $second;
}

sub block_response {
    my ($block, $length) = @_;
    die $SHORT if $length < $RESPONSE_BYTES;
    my ($at, $size, $second_at, $second_size) = unpack 'VVVV', ${$block};
    die $OUTSIDE if $at + $size > $length || $second_at + $second_size > $length;
    utf8::decode(my $first  = substr ${$block}, $at,        $size)        or die $NOT_UTF8;
    utf8::decode(my $second = substr ${$block}, $second_at, $second_size) or die $NOT_UTF8;
    return [$first, $second];
}

sub complex_block {
    my ($items, $tags, $note) = @{ $_[0] };
    my $tags_at = $COMPLEX_BYTES + $REQUEST_BYTES * @{$items};
    my $end     = $tags_at + $SPAN_BYTES * @{$tags};
    my ($heads, $texts) = ('', '');
    for my $item (@{$items}) {
        my ($text, $number) = @{$item};
        utf8::encode($text);
        $heads .= pack 'VVq<', $end + length $texts, length $text, $number;
        $texts .= $text;
    }
    for my $tag (@{$tags}) {
        utf8::encode(my $text = $tag);
        $heads .= pack 'VV', $end + length $texts, length $text;
        $texts .= $text;
    }
    my ($note_at, $note_size) = (0, 0);
    if (defined $note) {
        utf8::encode($note);
        ($note_at, $note_size) = ($end + length $texts, length $note);
        $texts .= $note;
    }
    my @head = ($COMPLEX_BYTES, scalar @{$items}, $tags_at, scalar @{$tags}, $note_at, $note_size);
    return pack('V6', @head) . $heads . $texts;
}

sub block_complex {
    my ($block, $length) = @_;
    die $SHORT if $length < $COMPLEX_BYTES;
    my ($items_at, $item_count, $tags_at, $tag_count, $note_at, $note_size) = unpack 'V6', ${$block};
    die $OUTSIDE
        if $items_at + $REQUEST_BYTES * $item_count > $length
        || $tags_at + $SPAN_BYTES * $tag_count > $length
        || $note_at + $note_size > $length;
    my (@items, @tags, $note);
    for my $place (0 .. $item_count - 1) {
        my ($at, $size, $number) = unpack 'VVq<', substr ${$block}, $items_at + $REQUEST_BYTES * $place, $REQUEST_BYTES;
        die $OUTSIDE if $at + $size > $length;
        utf8::decode(my $text = substr ${$block}, $at, $size) or die $NOT_UTF8;
        push @items, [$text, $number];
    }
    for my $place (0 .. $tag_count - 1) {
        my ($at, $size) = unpack 'VV', substr ${$block}, $tags_at + $SPAN_BYTES * $place, $SPAN_BYTES;
        die $OUTSIDE if $at + $size > $length;
        utf8::decode(my $text = substr ${$block}, $at, $size) or die $NOT_UTF8;
        push @tags, $text;
    }
    if ($note_at) {
        utf8::decode($note = substr ${$block}, $note_at, $note_size) or die $NOT_UTF8;
    }
    return [\@items, \@tags, $note];
}

sub payload_block {
    return pack('VV', $SPAN_BYTES, length $_[0][0]) . $_[0][0];    # `a*` takes half as long again
}

sub block_payload {
    my ($block, $length) = @_;
    die $SHORT if $length < $SPAN_BYTES;
    my ($at, $size) = unpack 'VV', ${$block};
    die $OUTSIDE if $at + $size > $length;
    return [substr ${$block}, $at, $size];
}

# The bytes of a payload as a scalar whose memory is the block's. It is good as long as the block stays where it is.
sub block_window {
    my ($block, $length) = @_;
    die $SHORT if $length < $SPAN_BYTES;
    my ($at, $size) = unpack 'VV', ${$block};
    die $OUTSIDE if $at + $size > $length;
    return [''] if $size == 0;    # it would be taken for a text that ends with a NUL
    my @message = (undef);        # a window is made where it stays: to assign it is to copy its bytes
    FFI::Platypus::Buffer::window($message[0], FFI::Platypus::Buffer::scalar_to_pointer(${$block}) + $at, $size);
    return \@message;
}

1;
