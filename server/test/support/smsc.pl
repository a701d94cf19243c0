#!/usr/bin/perl
# An SMSC for tests which is not ours: its PDUs are read and written by Net::SMPP, its texts by Encode.
#
# It is driven by JSON lines on its standard input, tells everything that it sees as JSON lines on its standard output
# in the order in which it happened, and ends with its input. What both lines hold is said in smsc.ts, beside this file.
use strict;
use warnings;
use Encode ();
use Encode::GSM0338 ();
use IO::Handle;
use JSON::PP ();
use Net::SMPP;
use POSIX ();
use Socket qw(IPPROTO_TCP TCP_NODELAY SOL_SOCKET SO_LINGER);
use Time::HiRes qw(time);

# A connection of an ESME. Net::SMPP would wait for its socket; this one's bytes come and go with the loop below.
package Line;
our @ISA = ('Net::SMPP');

sub syswrite {
    my ($self, $bytes) = @_;
    ${*$self}{out} .= $bytes;
    ${*$self}{queued} += length $bytes;
    return length $bytes;
}

sub read_hard {
    my ($self, $length, $into) = @_;
    $$into = substr ${*$self}{in}, 0, $length, '';
    return 1;
}

sub holds_pdu {
    my ($self) = @_;
    return length ${*$self}{in} >= 16 && length ${*$self}{in} >= unpack 'N', ${*$self}{in};
}

package main;

my %id_forms = (decimal => '%d', hex => '%x', HEX => '%X', zeros => '%012d');
my %charsets = (0 => 'gsm0338', 1 => 'ascii', 3 => 'iso-8859-1', 8 => 'UTF-16BE');
my %states = (ENROUTE => 1, DELIVRD => 2, EXPIRED => 3, DELETED => 4, UNDELIV => 5, ACCEPTD => 6, UNKNOWN => 7, REJECTD => 8);
my %escaped = ('"' => '\\"', '\\' => '\\\\');

my %behaviour = (
    system_id => 'jackfield', password => 'secret', max_binds => 100, bind_status => 0,
    ids => 'decimal', answer_delay_ms => 0, per_second => 0, rules => [], receipts => [],
    deliver_window => 20, again_ms => 300, drop => undef, deaf => 0, mute => 0,
);
my $json = JSON::PP->new->utf8;
my %lines;           # by file number
my $line_count = 0;
my $submits = 0;
my $next_id = 1_000_000_000 + int(rand 1_000_000_000);
my @outbox;          # deliver_sm that wait for a line
my %due;             # what is to be done, by tick of 5 ms
my $tick = int(time() * 200);
my ($allowed, $allowed_at) = (0, time);
my $events = '';

my $listener = Line->new_listen('127.0.0.1', port => $ARGV[0] // 0, timeout => 0) or die "cannot listen: $!\n";
$listener->blocking(0);
STDIN->blocking(0);
$| = 0;
$SIG{PIPE} = 'IGNORE';
tell_event('listening', sprintf '"port":%d', $listener->sockport);
send_events();

my $input = '';
while (1) {
    my ($read, $write) = ('', '');
    vec($read, $_, 1) = 1 for fileno(STDIN), fileno($listener);
    for my $line (values %lines) {
        my $state = *$line;
        vec($read, fileno $line, 1) = 1 unless $behaviour{deaf};
        vec($write, fileno $line, 1) = 1 if length ${$state}{out};
    }
    select $read, $write, undef, %due ? 0.004 : 1;
    accept_lines() if vec $read, fileno($listener), 1;
    for my $line (values %lines) {
        hear($line) if vec $read, fileno($line), 1;
    }
    read_commands() if vec $read, fileno(STDIN), 1;
    run_due();
    pump();
    send_events();
    flush_line($_) for values %lines;
}

# --- what is told -----------------------------------------------------------------------------------------------

sub tell_event {
    my ($event, $fields) = @_;
    $events .= qq({"event":"$event",$fields}\n);
}

sub send_events {
    print $events;
    STDOUT->flush;
    $events = '';
}

sub quoted {
    my $text = Encode::encode('UTF-8', $_[0] // '');
    $text =~ s/(["\\\x00-\x1f])/$escaped{$1} \/\/ sprintf '\\u%04x', ord $1/ge;
    return qq("$text");
}

# --- lines ------------------------------------------------------------------------------------------------------

sub accept_lines {
    while (my $line = $listener->accept) {
        $line->blocking(0);
        setsockopt $line, IPPROTO_TCP, TCP_NODELAY, 1;
        my $state = *$line;
        %{$state} = (
            %{$state}, number => ++$line_count, in => '', out => '', queued => 0, written => 0, answers => [],
            unanswered => {}, delivering => {}, bound => '', submits => 0,
        );
        $lines{fileno $line} = $line;
        tell_event('connected', qq("line":$line_count));
    }
}

sub hear {
    my ($line) = @_;
    my $state = *$line;
    my $got = sysread $line, my $bytes, 262_144;
    return if !defined $got && $!{EAGAIN};
    return close_line($line, 'closed by the ESME') if !$got;
    return if ${$state}{dropped};
    ${$state}{in} .= $bytes;
    return close_line($line, 'no SMPP') if length ${$state}{in} >= 4 && unpack('N', ${$state}{in}) > 1_000_000;
    while (defined fileno $line && !${$state}{dropped} && $line->holds_pdu) {
        my $pdu = eval { $line->read_pdu };
        return close_line($line, 'malformed: ' . ($@ || ${$state}{smpperror} || '')) if !$pdu;
        receive($line, $pdu) unless $behaviour{mute};
    }
}

sub flush_line {
    my ($line) = @_;
    return unless defined fileno $line;
    my $state = *$line;
    while (length ${$state}{out}) {
        my $put = syswrite $line, ${$state}{out};
        last unless $put;
        substr ${$state}{out}, 0, $put, '';
        ${$state}{written} += $put;
    }
    my $answers = ${$state}{answers};
    delete ${$state}{unanswered}{(shift @$answers)->[1]} while @$answers && $answers->[0][0] <= ${$state}{written};
}

# Ends a line from this side: what was answered is heard, and what comes meanwhile is not.
sub drop_line {
    my ($line, $how) = @_;
    return unless defined fileno $line;
    my $state = *$line;
    flush_line($line);
    if ($how eq 'reset') {
        setsockopt $line, SOL_SOCKET, SO_LINGER, pack 'ii', 1, 0;
        return close_line($line, 'reset');
    }
    ${$state}{dropped} = 1;
    shutdown $line, 1;
    later(1000, sub { close_line($line, 'dropped') });
}

sub close_line {
    my ($line, $why) = @_;
    return unless defined fileno $line;
    my $state = *$line;
    flush_line($line);
    my $number = fileno $line;
    return unless delete $lines{$number};
    unshift @outbox, map { ${$state}{delivering}{$_} } sort { $a <=> $b } keys %{ ${$state}{delivering} };
    my $unanswered = join ',', sort { $a <=> $b } keys %{ ${$state}{unanswered} };
    tell_event('closed', sprintf '"line":%d,"why":%s,"unanswered":[%s]', ${$state}{number}, quoted($why), $unanswered);
    close $line;
}

sub receivers {
    return grep { my $state = *$_; ${$state}{bound} =~ /^(receiver|transceiver)$/ && !${$state}{dropped} } values %lines;
}

# --- what ESMEs send --------------------------------------------------------------------------------------------

sub receive {
    my ($line, $pdu) = @_;
    my $state = *$line;
    my $command = Net::SMPP::pdu_tab->{ $pdu->{cmd} }{cmd} // sprintf '0x%08x', $pdu->{cmd};
    return submit($line, $pdu) if $command eq 'submit_sm';
    return delivered($line, $pdu) if $command eq 'deliver_sm_resp' && ${$state}{delivering}{ $pdu->{seq} };
    return bind_line($line, $pdu, $1) if $command =~ /^bind_(\w+)$/ && $pdu->{cmd} < 0x80000000;
    tell_event('pdu', sprintf '"line":%d,"command":%s,"status":%d,"sequence":%d',
        ${$state}{number}, quoted($command), $pdu->{status}, $pdu->{seq});
    return if $pdu->{cmd} >= 0x80000000;
    return $line->enquire_link_resp(seq => $pdu->{seq}) if $command eq 'enquire_link';
    if ($command eq 'unbind') {
        $line->unbind_resp(seq => $pdu->{seq});
        ${$state}{bound} = '';
        return;
    }
    $line->generic_nack(seq => $pdu->{seq}, status => 3);
}

sub bind_line {
    my ($line, $pdu, $as) = @_;
    my $state = *$line;
    my $bound = grep { my $other = *$_; ${$other}{bound} } values %lines;
    my $status = $behaviour{bind_status} ? $behaviour{bind_status}
        : $pdu->{system_id} ne $behaviour{system_id} ? 0x0f
        : $pdu->{password} ne $behaviour{password} ? 0x0e
        : $bound >= $behaviour{max_binds} ? 0x05
        : 0;
    ${$state}{bound} = $as unless $status;
    plan_drop($line);
    my $answer = "bind_${as}_resp";
    $line->$answer(system_id => 'smsc', seq => $pdu->{seq}, status => $status);
    tell_event('bind', sprintf
        '"line":%d,"as":"%s","system_id":%s,"system_type":%s,"version":%d,"range":[%d,%d,%s],"status":%d',
        ${$state}{number}, $as, quoted($pdu->{system_id}), quoted($pdu->{system_type}), $pdu->{interface_version},
        $pdu->{addr_ton}, $pdu->{addr_npi}, quoted($pdu->{address_range}), $status);
}

sub plan_drop {
    my ($line) = @_;
    my $state = *$line;
    my $drop = $behaviour{drop};
    delete @{$state}{qw(drop_at mute_at)};
    return unless $drop && ($drop->{times} // 1) > 0;
    my ($after, $unanswered) = ($drop->{after}, $drop->{unanswered} // 0);
    if ($drop->{random}) {
        $after = 1 + int rand 2 * $after;
        $unanswered = int rand $unanswered + 1;
    }
    ${$state}{drop_at} = ${$state}{submits} + $after;
    ${$state}{mute_at} = ${$state}{drop_at} - $unanswered;
}

sub rule_for {
    my ($pdu) = @_;
    for my $rule (@{ $behaviour{rules} }) {
        next if defined $rule->{to} && $pdu->{destination_addr} !~ /$rule->{to}/;
        next if defined $rule->{chance} && rand() >= $rule->{chance};
        next if defined $rule->{count} && $rule->{count}-- <= 0;
        return $rule;
    }
    return {};
}

sub too_fast {
    return 0 unless $behaviour{per_second};
    my $now = time;
    $allowed += ($now - $allowed_at) * $behaviour{per_second};
    $allowed_at = $now;
    my $burst = $behaviour{per_second} / 5 + 1;
    $allowed = $burst if $allowed > $burst;
    return 1 if $allowed < 1;
    $allowed--;
    return 0;
}

sub submit {
    my ($line, $pdu) = @_;
    my $state = *$line;
    my $n = ++$submits;
    my $rule = rule_for($pdu);
    my $status = too_fast() ? 0x58 : $rule->{status} // 0;
    my $number = $status ? 0 : $next_id++;
    my $id = $status ? '' : sprintf $id_forms{ $behaviour{ids} }, $number;
    my ($udh, $text) = text_of($pdu);
    my ($reference, $total, $part) = map { defined $pdu->{$_} ? unpack 'H*', $pdu->{$_} : '' }
        qw(sar_msg_ref_num sar_total_segments sar_segment_seqnum);
    tell_event('submit', sprintf
        '"n":%d,"line":%d,"status":%d,"id":"%s","from":%s,"to":%s,"source":[%d,%d],"destination":[%d,%d],'
        . '"data_coding":%d,"esm_class":%d,"registered_delivery":%d,"validity":%s,"udh":"%s","sar":"%s","payload":%s,'
        . '"service_type":%s,"protocol_id":%d,"priority":%d,"text":%s,"at":%.3f',
        $n, ${$state}{number}, $status, $id, quoted($pdu->{source_addr}), quoted($pdu->{destination_addr}),
        @{$pdu}{qw(source_addr_ton source_addr_npi dest_addr_ton dest_addr_npi data_coding esm_class registered_delivery)},
        quoted($pdu->{validity_period}), unpack('H*', $udh), $reference . $total . $part,
        defined $pdu->{message_payload} ? 'true' : 'false', quoted($pdu->{service_type}),
        @{$pdu}{qw(protocol_id priority_flag)}, quoted($text), time);

    ${$state}{unanswered}{$n} = 1;
    ${$state}{submits}++;
    my $mute = $rule->{silent} || (defined ${$state}{mute_at} && ${$state}{submits} > ${$state}{mute_at});
    my $answer = sub {
        return unless defined fileno $line && !${$state}{dropped};
        $line->submit_sm_resp(message_id => $id, seq => $pdu->{seq}, status => $status);
        push @{ ${$state}{answers} }, [${$state}{queued}, $n];
    };
    my $delay = $rule->{answer_delay_ms} // $behaviour{answer_delay_ms};
    my $receipts = $rule->{receipts} // $behaviour{receipts};
    # a receipt may come before the answer
    plan_receipt($pdu, $number, $text, $n, $_) for $status || !($pdu->{registered_delivery} & 1) ? () : @$receipts;
    if (!$mute) { $delay ? later($delay, $answer) : $answer->() }
    return unless defined ${$state}{drop_at};
    my $drop = sub {
        return if ${$state}{dropped} || !defined ${$state}{drop_at};
        $behaviour{drop}{times}-- if $behaviour{drop};
        drop_line($line, ($behaviour{drop} // {})->{how} // 'close');
    };
    # an ESME whose window is full sends no more
    later(300, $drop) if ${$state}{submits} == ${$state}{mute_at} + 1;
    $drop->() if ${$state}{submits} >= ${$state}{drop_at};
}

sub text_of {
    my ($pdu) = @_;
    my $bytes = $pdu->{message_payload} // $pdu->{short_message};
    my $udh = $pdu->{esm_class} & 0x40 ? substr $bytes, 0, 1 + ord $bytes, '' : '';
    return ($udh, decoded($bytes, $pdu->{data_coding}));
}

sub decoded {
    my ($bytes, $coding) = @_;
    return Encode::decode($charsets{$coding} // 'iso-8859-1', $bytes);
}

# --- what goes to ESMEs -----------------------------------------------------------------------------------------

sub plan_receipt {
    my ($pdu, $number, $text, $n, $plan) = @_;
    my $after = ref $plan->{after_ms} ? $plan->{after_ms}[0] + rand($plan->{after_ms}[1] - $plan->{after_ms}[0])
        : $plan->{after_ms} // 0;
    my $id = sprintf $id_forms{ $plan->{id_as} // $behaviour{ids} }, $number;
    my %receipt = (
        %$plan, id => $id, from => $pdu->{destination_addr}, to => $pdu->{source_addr}, text => $text, n => $n,
    );
    if ($after > 0) { later($after, sub { queue_receipt(\%receipt) }) }
    else { queue_receipt(\%receipt) }
}

sub queue_receipt {
    my ($receipt) = @_;
    my $format = $receipt->{format} // 'text';
    my $stat = $receipt->{stat} // 'DELIVRD';
    my $err = $receipt->{err} // '000';
    my @pdu = (
        source_addr => $receipt->{from}, destination_addr => $receipt->{to},
        source_addr_ton => 1, source_addr_npi => 1, dest_addr_ton => 1, dest_addr_npi => 1,
        esm_class => $receipt->{esm_class} // 0x04,
        short_message => $format eq 'tlv' ? '' : receipt_text($format, $receipt, $stat, $err),
    );
    push @pdu, receipted_message_id => "$receipt->{id}\0", message_state => chr($states{$stat} // 7) if $format =~ /tlv/;
    push @pdu, network_error_code => pack 'Cn', 3, $err if $format =~ /tlv/ && $err =~ /^\d+$/ && $err != 0;
    push @outbox, { ref => $receipt->{ref}, kind => 'receipt', n => $receipt->{n}, stat => $stat, pdu => \@pdu };
}

sub receipt_text {
    my ($format, $receipt, $stat, $err) = @_;
    my $date = POSIX::strftime(
        $format =~ /year/ ? '%Y%m%d%H%M%S' : $format =~ /seconds/ ? '%y%m%d%H%M%S' : '%y%m%d%H%M', gmtime);
    return "id:$receipt->{id} stat:$stat" if $format eq 'short';
    my $text = "id:$receipt->{id} sub:001 dlvrd:001 submit date:$date done date:$date stat:$stat err:$err text:"
        . Encode::encode('iso-8859-1', substr $receipt->{text} // '', 0, 20);
    $text =~ s/\b(id|sub|dlvrd|submit date|done date|stat|err|text):/\U$1:/g if $format =~ /upper/;
    $text =~ s/\b(submit|done) date:/${1}_date: /g if $format =~ /underlined/;
    return $text;
}

sub queue_message {
    my ($message) = @_;
    my $coding = $message->{data_coding} // 0;
    my $bytes = defined $message->{hex} ? pack 'H*', $message->{hex}
        : Encode::encode($charsets{$coding} // 'iso-8859-1', $message->{text} // '');
    my $part = $message->{part};
    my ($esm_class, @tlvs) = ($message->{esm_class} // 0);
    if ($part && $part->{by} =~ /^udh/) {
        $esm_class |= 0x40;
        $bytes = ($part->{by} eq 'udh16' ? pack 'CCCnCC', 6, 8, 4, @{$part}{qw(reference total index)}
            : pack 'CCCCCC', 5, 0, 3, @{$part}{qw(reference total index)}) . $bytes;
    }
    @tlvs = (
        sar_msg_ref_num => pack('n', $part->{reference}), sar_total_segments => chr $part->{total},
        sar_segment_seqnum => chr $part->{index},
    ) if $part && $part->{by} eq 'sar';
    push @tlvs, message_payload => $bytes if $message->{payload};
    push @tlvs, user_message_reference => pack 'n', $message->{reference} if defined $message->{reference};
    push @outbox, { ref => $message->{ref}, kind => 'message', pdu => [
        source_addr => $message->{from}, destination_addr => $message->{to},
        source_addr_ton => 1, source_addr_npi => 1, dest_addr_ton => 1, dest_addr_npi => 1,
        esm_class => $esm_class, data_coding => $coding,
        short_message => $message->{payload} ? '' : $bytes, @tlvs,
    ] };
}

sub pump {
    while (@outbox) {
        my ($line) = grep { my $state = *$_; keys %{ ${$state}{delivering} } < $behaviour{deliver_window} } receivers();
        return unless $line;
        my $entry = shift @outbox;
        my $state = *$line;
        my $sequence = $line->deliver_sm(@{ $entry->{pdu} }, async => 1);
        ${$state}{delivering}{$sequence} = $entry;
    }
}

# As SMSCs do, it sends again what was refused for a while.
sub delivered {
    my ($line, $pdu) = @_;
    my $state = *$line;
    my $entry = delete ${$state}{delivering}{ $pdu->{seq} };
    my $again = $pdu->{status} && $behaviour{again_ms} && ($entry->{tries}++ // 0) < 100;
    tell_event('delivered', sprintf '"line":%d,"kind":"%s","status":%d,"again":%s,"ref":%s,"n":%s,"stat":%s',
        ${$state}{number}, $entry->{kind}, $pdu->{status}, $again ? 'true' : 'false', $entry->{ref} // 'null',
        $entry->{n} // 'null', quoted($entry->{stat} // ''));
    later($behaviour{again_ms}, sub { push @outbox, $entry }) if $again;
}

# --- time and commands ------------------------------------------------------------------------------------------

sub later {
    my ($ms, $what) = @_;
    my $at = int((time() + $ms / 1000) * 200) + 1;
    push @{ $due{$at} }, $what;
}

sub run_due {
    my $now = int(time() * 200);
    return $tick = $now unless %due;
    while ($tick <= $now) {
        $_->() for @{ delete $due{$tick} // [] };
        $tick++;
    }
}

sub read_commands {
    my $got = sysread STDIN, $input, 1_048_576, length $input;
    exit 0 if defined $got && !$got;
    while ($input =~ s/^([^\n]*)\n//) {
        my $command = $json->decode($1);
        obey($command);
        tell_event('done', qq("command":$command->{command}));
    }
}

sub obey {
    my ($command) = @_;
    my ($do, $with) = @{$command}{qw(do with)};
    if ($do eq 'behave') {
        @behaviour{ keys %$with } = values %$with;
        if (exists $with->{drop}) { plan_drop($_) for values %lines }
    }
    elsif ($do eq 'deliver') { queue_message($with) }
    elsif ($do eq 'receipt') { queue_receipt($with) }
    elsif ($do eq 'drop') { drop_line($_, $with->{how} // 'close') for values %lines }
    elsif ($do eq 'raw') { $_->syswrite(pack 'H*', $with->{hex}) for values %lines }
    elsif ($do eq 'enquire') { $_->enquire_link(async => 1) for values %lines }
    elsif ($do eq 'unbind') { $_->unbind(async => 1) for values %lines }
    else { die "no such command: $do\n" }
}
