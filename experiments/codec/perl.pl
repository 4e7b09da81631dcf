# codec through every Perl shim: messages are encoded in Perl, answered by the library, and decoded in Perl.
#
# ffibench: requires=CBOR::XS

use strict;
use warnings;

use FFIBench;
use FindBin ();

BEGIN {
    require "$FindBin::Bin/_shapes.pl";
    Shapes->import;
}

my %RUNS = (encode => \&encodes, call => \&calls, decode => \&decodes, total => \&totals);

sub refuse {
    my ($error) = @_;
    die "the library refuses a message: $error\n";
}

sub left_over {
    die "bytes follow a message\n";
}

# What the loops of a case work on, and leave for the receipt: the case `payload_struct_total_view`.
sub bench {
    my ($case, $size) = @_;
    my ($shape, $way, $step, $kind) = split /_/, $case, 4;
    my %bench = (
        shape    => $shape,
        step     => $step,
        is_block => $way eq 'struct',
        is_view  => ($kind // '') eq 'view',
        is_warm  => ($kind // '') ne 'default_heap',
        call     => $way eq 'struct' ? \&codec_answer_block : \&codec_answer_cbor,
        coders($shape),
        timed($shape, $size),
    );
    $bench{from_block} = \&block_window if $bench{is_view};
    delete $bench{cbor} if $bench{is_block};
    my @lengths = map { length encoded(\%bench, $_) } varied(\%bench, 0), fixtures($shape);
    $bench{room} = ROTATED;
    $bench{room} += $_ for @lengths;
    return \%bench;
}

# Has a message answered outside of a loop.
sub checked {
    my ($bench, $request) = @_;
    my $room   = length($request) + ROTATED;
    my $answer = FFIBench::buffer($room);
    my $length = codec_check($bench->{is_block}, $bench->{number}, $request, length $request, $answer, $room);
    refuse($length) if $length < 0;
    return substr $answer, 0, $length;
}

# The loops. What varies of a message is set in place, and what is added up is read, without a sub for either: to call
# one takes longer than that.

sub encodes {
    my ($bench, $iterations) = @_;
    my ($message, $field, $turns, $cbor, $to_block) = @{$bench}{qw(message field turns cbor to_block)};
    my ($request, $sum) = ('', 0);
    for my $iteration (0 .. $iterations - 1) {
        ${$field} = $turns ? $turns->[$iteration % @{$turns}] : FIRST_NUMBER + $iteration;
        $request = $cbor ? $cbor->encode($message) : $to_block->($message);
        $sum += length $request;
    }
    @{$bench}{qw(request sum)} = ($request, $sum);
    return {};
}

sub calls {
    my ($bench, $iterations) = @_;
    my ($call, $number, $request, $room) = @{$bench}{qw(call number request room)};
    my $answer = \$bench->{answer};
    my $size   = length $request;
    my ($length, $sum) = (0, 0);
    for (1 .. $iterations) {
        $length = $call->($number, $request, $size, ${$answer}, $room);
        refuse($length) if $length < 0;
        $sum += $length;
    }
    @{$bench}{qw(length sum)} = ($length, $sum);
    return {};
}

sub decodes {
    my ($bench, $iterations) = @_;
    my ($number, $ready, $last, $cbor, $from_block) = @{$bench}{qw(number ready last cbor from_block)};
    my ($value, $sum) = (undef, 0);
    for my $iteration (0 .. $iterations - 1) {
        my $turn   = $iteration % ROTATED;
        my $answer = $ready->[$turn];
        my $length = length ${$answer};
        ${$last} = chr $turn + 1 if $last;
        if ($cbor) {
            ($value, my $taken) = $cbor->decode_prefix(${$answer});
            left_over() if $taken != $length;
        }
        else {
            $value = $from_block->($answer, $length);
        }
        $sum +=
              $number == CODEC_REQUEST  ? $value->[1]
            : $number == CODEC_RESPONSE ? length $value->[0]
            : $number == CODEC_COMPLEX  ? $value->[0][0][1] + @{ $value->[1] }
            :                             ord substr $value->[0], -1;
    }
    @{$bench}{qw(value sum)} = ($value, $sum);
    return {};
}

# An answer lies at the beginning of the memory that it is written to: decode_prefix takes it there, where decode would
# need a copy.
sub totals {
    my ($bench, $iterations) = @_;
    my ($message, $field, $turns, $cbor, $to_block) = @{$bench}{qw(message field turns cbor to_block)};
    my ($call, $number, $room, $from_block) = @{$bench}{qw(call number room from_block)};
    my $answer = \$bench->{answer};
    my ($request, $length, $value, $sum) = ('', 0, undef, 0);
    for my $iteration (0 .. $iterations - 1) {
        ${$field} = $turns ? $turns->[$iteration % @{$turns}] : FIRST_NUMBER + $iteration;
        $request = $cbor ? $cbor->encode($message) : $to_block->($message);
        $length = $call->($number, $request, length $request, ${$answer}, $room);
        refuse($length) if $length < 0;
        if ($cbor) {
            ($value, my $taken) = $cbor->decode_prefix(${$answer});
            left_over() if $taken != $length;
        }
        else {
            $value = $from_block->($answer, $length);
        }
        $sum +=
              $number == CODEC_REQUEST  ? $value->[1]
            : $number == CODEC_RESPONSE ? length $value->[0]
            : $number == CODEC_COMPLEX  ? $value->[0][0][1] + @{ $value->[1] }
            :                             ord substr $value->[0], -1;
    }
    @{$bench}{qw(request length value sum)} = ($request, $length, $value, $sum);
    return {};
}

sub nothing {
    my ($bench, $iterations) = @_;
    my ($field, $turns, $length) = @{$bench}{qw(field turns room)};
    my $encodes = $bench->{step} =~ /\A(?:encode|total)\z/;
    my $sum     = 0;
    for my $iteration (0 .. $iterations - 1) {
        ${$field} = $turns ? $turns->[$iteration % @{$turns}] : FIRST_NUMBER + $iteration if $encodes;
        refuse($length) if $length < 0;
        $sum += $length;
    }
    return;
}

sub before {
    my ($bench) = @_;
    if ($bench->{is_warm} && codec_warm_heap() != 0) {
        die "the heap cannot be kept warm: malloc is not glibc's\n";
    }
    $bench->{answer}  = FFIBench::buffer($bench->{room});
    $bench->{request} = encoded($bench, varied($bench, 0));
    return if $bench->{step} ne 'decode';
    if ($bench->{shape} eq 'payload') {    # one answer, of which the last byte is varied
        my $answer = checked($bench, $bench->{request});
        @{$bench}{qw(ready last)} = ([(\$answer) x ROTATED], \substr($answer, -1));
    }
    else {
        $bench->{ready} = [map { \checked($bench, encoded($bench, varied($bench, $_))) } 0 .. ROTATED - 1];
    }
    return;
}

# Digests the fixtures' messages and what the loop left of its last one, which is dropped.
sub after {
    my ($bench, $iterations) = @_;
    my ($shape, $step) = @{$bench}{qw(shape step)};
    my @requests = map { encoded($bench, $_) } fixtures($shape);
    my @answers  = map { checked($bench, $_) } @requests;
    my @values   = map { decoded($bench, \$_) } @answers;
    my $called   = $step eq 'call' || $step eq 'total';
    my $decodes  = $step eq 'decode' || $step eq 'total';
    my $last     = varied($bench, ($iterations - 1) % ROTATED);
    push @requests, $step eq 'decode' ? encoded($bench, $last) : $bench->{request};
    push @answers, $called ? substr($bench->{answer}, 0, $bench->{length}) : checked($bench, $requests[-1]);
    if ($step eq 'total' && !$bench->{is_view}) {    # what was copied must not change with it
        substr $bench->{answer}, 0, $bench->{length}, "\0" x $bench->{length};
    }
    push @values, $decodes ? $bench->{value} : decoded($bench, \$answers[-1]);
    my %receipt = (
        messages => $iterations,
        sum      => $bench->{sum},
        requests => digest(@requests),
        answers  => digest(@answers),
        fields   => digest(map { as_fields($_, $shape eq 'payload') } @values),
        refused  => refused($bench->{is_block}),
    );
    delete @{$bench}{qw(answer request ready last value)};
    return \%receipt;
}

sub digest {
    my $digest = 0;
    $digest = codec_digest($digest, $_, length) for @_;
    return $digest;
}

# Counts the bad messages that host and library refuse: one that ends too soon, one that is not UTF-8.
sub refused {
    my ($is_block) = @_;
    my %small = (is_block => $is_block, coders('request'));
    delete $small{cbor} if $is_block;
    my $good  = encoded(\%small, ['a text', 1]);
    my $found = 0;
    for my $bad (substr($good, 0, -1), $good =~ s/t/\xff/r) {
        $found += !eval { checked(\%small, $bad); 1 };
        $found += !eval { decoded(\%small, \$bad); 1 };
    }
    return $found;
}

sub loops {
    my ($case) = @_;
    if ($case =~ /_view\z/) {
        return 'Perl copies the bytes that it takes out of a string' if !$INC{'FFI/Platypus.pm'};
        require FFI::Platypus::Buffer;    # which makes a window on them
    }
    my $bench = bench($case, FFIBench::option('size'));
    my $run   = $RUNS{ $bench->{step} };
    return {
        run    => sub { return $run->($bench, @_) },
        empty  => sub { return nothing($bench, @_) },
        before => sub { return before($bench, @_) },
        after  => sub { return after($bench, @_) },
    };
}

my @planned = map { s/:[^:]*\z//r } split /,/, FFIBench::option('cases');
FFIBench::serve(library => codec_version(), cases => { map { $_ => loops($_) } @planned });
