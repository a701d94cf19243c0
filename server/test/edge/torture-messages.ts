/** Messages written after RFC 4475 (SIP Torture Test Messages) and RFC 5118 (for IPv6), with what the edge answers. */

export interface TortureMessage {
  /** As the RFC names it, or what is odd about it. */
  name: string
  /** Lines of the head; the branch, tag and Call-ID are made unlike those of others. */
  lines: string[]
  body?: string
  /** Behind the body of the datagram. */
  behind?: string
  /** The final status. null: nothing is answered. */
  expected: number | readonly number[] | null
}

/** `@@` stands for what makes a message unlike others, `@VIA@` for where its answer goes. */
const via = 'Via: SIP/2.0/UDP @VIA@;branch=z9hG4bK@@;rport'
const offer = [
  'v=0',
  'o=- 1 1 IN IP4 192.0.2.1',
  's=-',
  'c=IN IP4 192.0.2.1',
  't=0 0',
  'm=audio 49217 RTP/AVP 0',
  '',
]

/** A message with headers in the place of, or beside, the ordinary ones. `null` leaves one out. */
function message(
  name: string,
  expected: TortureMessage['expected'],
  first: string,
  changes: Record<string, string | string[] | null> = {},
  rest: Pick<TortureMessage, 'body' | 'behind'> = {},
): TortureMessage {
  const method = first.split(' ', 1)[0] ?? ''
  const ordinary: Record<string, string | string[] | null> = {
    Via: via,
    'Max-Forwards': 'Max-Forwards: 70',
    From: 'From: <sip:caller@example.net>;tag=@@',
    To: 'To: <sip:user@example.com>',
    'Call-ID': 'Call-ID: @@@test.example',
    CSeq: `CSeq: 1 ${method}`,
    Contact: 'Contact: <sip:caller@192.0.2.7>',
    'Content-Length': `Content-Length: ${rest.body?.length ?? 0}`,
    ...changes,
  }
  return { name, expected, lines: [first, ...Object.values(ordinary).flatMap((line) => line ?? [])], ...rest }
}

const options = 'OPTIONS sip:user@example.com SIP/2.0'
const invite = 'INVITE sip:user@example.com SIP/2.0'

/** RFC 4475 section 3.1.1: valid messages. Calls of strangers are refused, so that OPTIONS shows that one is read. */
const valid: TortureMessage[] = [
  message('wsinv: white space and folding everywhere', 200, options, {
    Via: 'v:  SIP  / 2.0  / UDP  @VIA@ ;\r\n branch  =   z9hG4bK@@ ; rport',
    From: 'FrOm  :\r\n  "Bell\r\n  Lab"   <sip:caller@example.net>\r\n  ; tag = @@',
    To: 'TO :\r\n <sip:vivekg@chair-dnrc.example.com> ;   x    = 1',
    CSeq: 'cseq: 0009\r\n  OPTIONS',
    Subject: 's :',
    Extra: 'NewFangledHeader:   newfangled value\r\n continued newfangled value',
  }),
  message('wsinv: a CSeq folded with a tab', 200, options, { CSeq: 'CSeq:\r\n\t9\r\n\tOPTIONS' }),
  message('wsinv: a CSeq folded before Via', 200, options, {
    Via: null,
    CSeq: ['CSeq: 9\r\n  \r\n OPTIONS', via],
  }),
  message(
    'wsinv: a folded head, and lines of a body that begin with spaces',
    200,
    options,
    { CSeq: 'CSeq: 9\r\n OPTIONS', Type: 'Content-Type: application/json' },
    { body: '  {\r\n  "a": 1\r\n  }' },
  ),
  message(
    'wsinv: a folded head, and a body that is shorter than it says',
    400,
    options,
    { CSeq: 'CSeq: 9\r\n OPTIONS', 'Content-Length': 'Content-Length: 6' },
    { body: 'hello' },
  ),
  message(
    'intmeth: a method of odd characters',
    403,
    "!interesting-Method0123456789_*+`.%indeed'~ sip:1@example.com SIP/2.0",
    {
      From: 'From: "\\"BEL:\\\\\\NUL:\\" x" <sip:caller@example.net>;tag=@@',
    },
  ),
  message('esc01: escapes in the URIs', 200, 'OPTIONS sip:sips%3Auser%40example.com@example.net SIP/2.0'),
  message('escnull: an escaped NUL in URIs', 400, 'REGISTER sip:example.com SIP/2.0', {
    To: 'To: sip:null-%00-null@example.com',
    From: 'From: sip:null-%00-null@example.com;tag=@@',
  }),
  message(
    'esc02: percent signs that are no escapes',
    [200, 403],
    'RE%47IST%45R sip:registrar.example.com SIP/2.0',
    {
      Contact: ['Contact: <sip:alias1@host1.example.com>', 'Contact: "%Z%45" <sip:resource@example.com>'],
    },
  ),
  message('lwsdisp: no space before the URI in angle brackets', 200, options, {
    From: 'From: caller<sip:caller@example.com>;tag=@@',
  }),
  message('longreq: long values of headers', 200, options, {
    From: `From: "${'I have a user name of extreme proportion '.repeat(8)}" <sip:caller@example.net:5060>;tag=@@`,
    Extra: [
      `Unknown-${'Long'.repeat(40)}-Name: ${'unknown '.repeat(40)}`,
      ...Array.from({ length: 20 }, (_, i) => `Via: SIP/2.0/TCP sip${i}.example.com`),
    ],
  }),
  message(
    'dblreq: a second request behind the body',
    200,
    options,
    {},
    {
      behind: 'INVITE sip:joe@example.com SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1\r\nContent-Length: 0\r\n\r\n',
    },
  ),
  ...(
    [
      ['one CRLF', '\r\n'],
      ['one LF', '\n'],
      ['a space', ' '],
      ['one NUL', '\0'],
      ['keep-alives and NULs', '\r\n\r\n\0\0\0'],
    ] as const
  ).flatMap(([what, behind]) => [
    message(`${what} behind a message without a body`, 200, options, {}, { behind }),
    message(
      `${what} behind a body`,
      200,
      options,
      { Type: 'Content-Type: text/plain' },
      { body: 'hello', behind },
    ),
  ]),
  message(
    'semiuri: semicolons in the user part',
    200,
    'OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0',
  ),
  message('transports: unknown ones in Via', 200, options, {
    Extra: [
      'Via: SIP/2.0/SCTP s1.example.com;branch=z9hG4bK2',
      'Via: SIP/2.0/UNKNOWN s2.example.com;branch=z9hG4bK3',
    ],
  }),
  message('unreason: reason phrases are for responses', null, 'SIP/2.0 200 = 2**3 * 5**2 \u043d\u043e'),
  message('noreason: an empty reason phrase', null, 'SIP/2.0 100 '),
]

/** Section 3.1.2: messages that are not valid. */
const invalid: TortureMessage[] = [
  message('badinv01: empty parameters', 400, invite, {
    Via: 'Via: SIP/2.0/UDP @VIA@;;,;,,',
    Contact: 'Contact: "Joe" <sip:joe@example.org>;;;;',
  }),
  message(
    'clerr: a body that is shorter than it says',
    400,
    invite,
    { 'Content-Length': 'Content-Length: 9999' },
    { body: offer.join('\r\n') },
  ),
  message('ncl: a negative Content-Length', 400, invite, { 'Content-Length': 'Content-Length: -999' }),
  message('a Content-Length that is no number', 400, options, { 'Content-Length': 'Content-Length: many' }),
  message('scalar02: numbers that are too large', 400, 'REGISTER sip:example.com SIP/2.0', {
    CSeq: 'CSeq: 36893488147419103232 REGISTER',
    'Max-Forwards': 'Max-Forwards: 300',
  }),
  message('quotbal: a quote that is never closed', 400, invite, {
    To: 'To: "Mr. J. User <sip:j.user@example.com>',
  }),
  message('ltgtruri: angle brackets around the request URI', 400, 'INVITE <sip:user@example.com> SIP/2.0'),
  message('lwsruri: a space in the request URI', 400, 'INVITE sip:user@example.com; lr SIP/2.0'),
  message('lwsstart: several spaces within the request line', 400, 'INVITE  sip:user@example.com  SIP/2.0'),
  message('trws: a space behind the version', [200, 400], 'OPTIONS sip:user@example.com SIP/2.0  '),
  message(
    'escruri: headers in the request URI',
    [200, 400],
    'OPTIONS sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0',
  ),
  message('baddn: a display name with odd characters', [200, 400], options, {
    From: 'From: Bell, Alexander <sip:a.g.bell@example.com>;tag=@@',
  }),
  message('badvers: an unknown version', [400, 505], 'OPTIONS sip:t.watson@example.org SIP/7.0', {
    Via: 'Via: SIP/7.0/UDP @VIA@;branch=z9hG4bK@@;rport',
  }),
  message('mismatch01: another method in CSeq', 400, options, { CSeq: 'CSeq: 8 INVITE' }),
  message(
    'mismatch02: another method in CSeq, which is unknown',
    400,
    'NEWMETHOD sip:user@example.com SIP/2.0',
    { CSeq: 'CSeq: 8 INVITE' },
  ),
]

/** Sections 3.1.3 and 3.3 */
const application: TortureMessage[] = [
  message('insuf: neither Call-ID nor From nor To', 400, invite, { From: null, To: null, 'Call-ID': null }),
  ...(['From', 'To', 'Call-ID', 'CSeq'] as const).map((name) =>
    message(`no ${name}`, 400, invite, { [name]: null }),
  ),
  message(
    'unkscm: an unknown scheme',
    [200, 400, 416],
    'OPTIONS nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0',
  ),
  message(
    'novelsc: a scheme that is none of SIP',
    [200, 400, 416],
    'OPTIONS soap.beep://192.0.2.103:3002 SIP/2.0',
  ),
  message('bext01: unknown Require and Proxy-Require', 420, options, {
    Extra: [
      'Require: nothingSupportsThis, nothingSupportsThisEither',
      'Proxy-Require: noProxiesSupportThis, norDoAnyProxiesSupportThis',
    ],
  }),
  message('an unknown Proxy-Require of an INVITE', 420, invite, { Extra: 'Proxy-Require: privacy' }),
  message('an unknown Require of a REGISTER', 420, 'REGISTER sip:example.com SIP/2.0', {
    Extra: 'Require: x-unknown',
  }),
  message(
    'a Content-Encoding',
    415,
    invite,
    { Extra: ['Content-Type: application/sdp', 'Content-Encoding: gzip'] },
    { body: 'x' },
  ),
  message(
    'a Content-Encoding in its short form',
    415,
    invite,
    { Extra: ['c: application/sdp', 'e: gzip'] },
    { body: 'x' },
  ),
  message(
    'invut: an unknown type of body',
    403,
    invite,
    { Extra: 'Content-Type: application/unknownformat' },
    { body: 'x' },
  ),
  message('regbadct: headers in a Contact without brackets', [400, 403], 'REGISTER sip:example.com SIP/2.0', {
    Contact: 'Contact: sip:user@example.com?Route=%3Csip:sip.example.com%3E',
  }),
  message('a response without From, To, Call-ID and CSeq', null, 'SIP/2.0 200 OK', {
    ...{ From: null, To: null, 'Call-ID': null, CSeq: null },
  }),
  message('an ACK without From, To, Call-ID and CSeq', null, 'ACK sip:user@example.com SIP/2.0', {
    ...{ From: null, To: null, 'Call-ID': null, CSeq: null },
  }),
  message('multi01: several of what may be one', 400, invite, {
    From: ['From: <sip:caller@example.net>;tag=@@', 'From: <sip:other@example.net>;tag=x'],
    'Call-ID': ['Call-ID: @@@test.example', 'Call-ID: other@test.example'],
    CSeq: ['CSeq: 1 INVITE', 'CSeq: 2 OPTIONS'],
  }),
  ...Object.entries({
    From: 'f: <sip:other@example.net>;tag=x',
    To: 't: <sip:other@example.com>',
    'Call-ID': 'i: other@test.example',
    CSeq: 'CSeq: 2 OPTIONS',
  }).map(([name, line]) =>
    message(`multi01: a second ${name} behind all others`, 400, options, { Extra: line }),
  ),
  message('mcl01: several Content-Lengths', 400, options, {
    'Content-Length': ['Content-Length: 13', 'Content-Length: 5', 'Content-Length: 0'],
  }),
  message('bcast: a response with a broadcast Via', null, 'SIP/2.0 200 OK', {
    Via: 'Via: SIP/2.0/UDP 255.255.255.255;branch=z9hG4bK@@',
  }),
  message('zeromf: no hops left', 483, options, { 'Max-Forwards': 'Max-Forwards: 0' }),
  message('cparam01: unknown parameters of a Contact', 403, 'REGISTER sip:example.com SIP/2.0', {
    Contact: 'Contact: <sip:+19725552222@gw1.example.net>;unknownparam',
  }),
  message('regescrt: an escaped header in a Contact', 403, 'REGISTER sip:example.com SIP/2.0', {
    Contact: 'Contact: <sip:user@example.com?Route=%3Csip:sip.example.com%3E>',
  }),
  message(
    'sdp01: Accept without SDP',
    403,
    invite,
    { Extra: ['Accept: text/nobodyKnowsThis', 'Content-Type: application/sdp'] },
    { body: offer.join('\r\n') },
  ),
  message('inv2543: as RFC 2543 wrote it', [400, 403], invite, {
    'Max-Forwards': null,
    Contact: null,
    Via: 'Via: SIP/2.0/UDP @VIA@',
    From: 'From: <sip:caller@example.net>',
  }),
]

/** RFC 5118 section 4. */
const ipv6: TortureMessage[] = [
  message('good: references in brackets', 403, 'REGISTER sip:[2001:db8::10] SIP/2.0', {
    To: 'To: sip:user@example.com',
    Contact: 'Contact: "Caller" <sip:caller@[2001:db8::1]>',
  }),
  message('bad: a reference without brackets', 400, 'REGISTER sip:2001:db8::10 SIP/2.0'),
  message(
    'port-ambiguous: a port within the reference',
    [200, 403],
    'OPTIONS sip:[2001:db8::10:5070] SIP/2.0',
  ),
  message('port-unambiguous', 200, 'OPTIONS sip:[2001:db8::10]:5070 SIP/2.0'),
  message('via-received-param-with-delim', 200, 'OPTIONS sip:[2001:db8::10] SIP/2.0', {
    Extra: 'Via: SIP/2.0/UDP [2001:db8::9:1];received=[2001:db8::9:255];branch=z9hG4bKas3',
  }),
  message('via-received-param-no-delim', 200, 'OPTIONS sip:[2001:db8::10] SIP/2.0', {
    Extra: 'Via: SIP/2.0/UDP [2001:db8::9:1];received=2001:db8::9:255;branch=z9hG4bKas3',
  }),
  message(
    'ipv6-in-sdp',
    403,
    invite,
    { Extra: 'Content-Type: application/sdp' },
    { body: offer.join('\r\n').replaceAll('IP4 192.0.2.1', 'IP6 2001:db8::20') },
  ),
  message('mult-ip-in-header: both kinds in Via', 200, options, {
    Extra: [
      'Via: SIP/2.0/UDP [2001:db8::9:1]:6050;branch=z9hG4bKas3-111',
      'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bKjhja8781hjuaij65144',
    ],
  }),
  message(
    'mult-ip-in-sdp: both kinds in the description',
    403,
    invite,
    { Extra: 'Content-Type: application/sdp' },
    { body: `${offer.join('\r\n')}m=video 6024 RTP/AVP 107\r\nc=IN IP6 2001:db8::1\r\n` },
  ),
  message('ipv4-mapped-ipv6', 200, 'OPTIONS sip:[::ffff:192.0.2.10] SIP/2.0', {
    Contact: 'Contact: "T. desk phone" <sip:ted@[::ffff:192.0.2.2]>',
  }),
  message('ipv6-bug-abnf-3-colons', [200, 400], 'OPTIONS sip:user@[2001:db8:::192.0.2.1] SIP/2.0'),
]

export const tortureMessages: readonly TortureMessage[] = [...valid, ...invalid, ...application, ...ipv6]
