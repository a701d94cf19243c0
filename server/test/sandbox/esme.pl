#!/usr/bin/perl
# An ESME that is not ours: binds to an SMSC by Net::SMPP, submits messages, and prints what it is answered and brought.
#
#     esme.pl <port> <password> <messages as JSON> <events>
#
# Each message has `to` and what else Net::SMPP's submit_sm takes. It prints a line of JSON for each answer and each
# delivery, which it takes, and ends after so many of them.
use strict;
use warnings;
use JSON::PP ();
use Net::SMPP;

my ($port, $password, $messages, $events) = @ARGV;
my $json = JSON::PP->new->latin1->canonical;
alarm 30;
$| = 1;

my ($smpp, $bound) = Net::SMPP->new_transceiver(
    '127.0.0.1', port => $port, system_id => 'sandbox', password => $password,
);
die "no connection\n" if !$smpp;
print $json->encode({ bind => $bound->{status} }), "\n";
exit 0 if $bound->{status} != 0;

${*$smpp}{async} = 1;
my %sent;
for my $message (@{ $json->decode($messages) }) {
    my $to = delete $message->{to};
    my $sequence = $smpp->submit_sm(
        source_addr_ton => 1, source_addr_npi => 1, source_addr => '12025550199',
        dest_addr_ton => 1, dest_addr_npi => 1, destination_addr => $to,
        registered_delivery => 1, %$message,
    );
    $sent{$sequence} = $to;
}

while ($events > 0) {
    my $pdu = $smpp->read_pdu() or die "the line is lost\n";
    if ($pdu->{cmd} == Net::SMPP::CMD_submit_sm_resp) {
        my $answer = { to => $sent{ $pdu->{seq} }, status => $pdu->{status}, id => $pdu->{message_id} };
        print $json->encode({ answer => $answer }), "\n";
    }
    elsif ($pdu->{cmd} == Net::SMPP::CMD_deliver_sm) {
        my %delivery = map { $_ => $pdu->{$_} } qw(source_addr destination_addr short_message data_coding esm_class);
        print $json->encode({ delivery => \%delivery }), "\n";
        $smpp->deliver_sm_resp(seq => $pdu->{seq}, message_id => '');
    }
    else { next }
    $events--;
}
$smpp->unbind();
