/**
 * The national language tables of the GSM 7-bit alphabet (3GPP TS 23.038, annex A). A text names them in its user data
 * header: a locking table in place of the default alphabet, a single one in place of its extension table.
 */

/** By National Language Identifier. The 128 characters of each; a place without one is a space, as handsets show it. */
export const lockingTables: ReadonlyMap<number, string> = new Map([
  // Turkish
  [
    1,
    [
      '@£$¥€éùıòÇ\nĞğ\rÅå',
      'Δ_ΦΓΛΩΠΨΣΘΞ\u001bŞşßÉ',
      ' !"#¤%&\'()*+,-./',
      '0123456789:;<=>?',
      'İABCDEFGHIJKLMNO',
      'PQRSTUVWXYZÄÖÑÜ§',
      'çabcdefghijklmno',
      'pqrstuvwxyzäöñüà',
    ].join(''),
  ],
  // Portuguese
  [
    3,
    [
      '@£$¥êéúíóç\nÔô\rÁá',
      'Δ_ªÇÀ∞^\\€Ó|\u001bÂâÊÉ',
      ' !"#º%&\'()*+,-./',
      '0123456789:;<=>?',
      'ÍABCDEFGHIJKLMNO',
      'PQRSTUVWXYZÃÕÚÜ§',
      '~abcdefghijklmno',
      'pqrstuvwxyzãõ`üà',
    ].join(''),
  ],
  // Bengali
  [
    4,
    [
      '\u0981\u0982\u0983অআইঈউঊঋ\nঌ \r এ',
      'ঐ  ওঔকখগঘঙচ\u001bছজঝঞ',
      ' !টঠডঢণত)(থদ,ধ.ন',
      '0123456789:; পফ?',
      'বভমযর ল   শষসহ\u09bcঽ',
      '\u09be\u09bf\u09c0\u09c1\u09c2\u09c3\u09c4  \u09c7\u09c8  \u09cb\u09cc\u09cd',
      'ৎabcdefghijklmno',
      'pqrstuvwxyz\u09d7ড়ঢ়ৰৱ',
    ].join(''),
  ],
  // Gujarati
  [
    5,
    [
      '\u0a81\u0a82\u0a83અઆઇઈઉઊઋ\nઌઍ\r એ',
      'ઐઑ ઓઔકખગઘઙચ\u001bછજઝઞ',
      ' !ટઠડઢણત)(થદ,ધ.ન',
      '0123456789:; પફ?',
      'બભમયર લળ વશષસહ\u0abcઽ',
      '\u0abe\u0abf\u0ac0\u0ac1\u0ac2\u0ac3\u0ac4\u0ac5 \u0ac7\u0ac8\u0ac9 \u0acb\u0acc\u0acd',
      'ૐabcdefghijklmno',
      'pqrstuvwxyzૠૡ\u0ae2\u0ae3૱',
    ].join(''),
  ],
  // Hindi
  [
    6,
    [
      '\u0901\u0902\u0903अआइईउऊऋ\nऌऍ\rऎए',
      'ऐऑऒओऔकखगघङच\u001bछजझञ',
      ' !टठडढणत)(थद,ध.न',
      '0123456789:;ऩपफ?',
      'बभमयरऱलळऴवशषसह\u093cऽ',
      '\u093e\u093f\u0940\u0941\u0942\u0943\u0944\u0945\u0946\u0947\u0948\u0949\u094a\u094b\u094c\u094d',
      'ॐabcdefghijklmno',
      'pqrstuvwxyzॲॻॼॾॿ',
    ].join(''),
  ],
  // Kannada
  [
    7,
    [
      ' \u0c82\u0c83ಅಆಇಈಉಊಋ\nಌ \rಎಏ',
      'ಐ ಒಓಔಕಖಗಘಙಚ\u001bಛಜಝಞ',
      ' !ಟಠಪಢಣತ)(ಥದ,ಧ.ನ',
      '0123456789:; ಪಫ?',
      'ಬಭಮಯರಱಲಳ ವಶಷಸಹ\u0cbcಽ',
      '\u0cbe\u0cbf\u0cc0\u0cc1\u0cc2\u0cc3\u0cc4 \u0cc6\u0cc7\u0cc8 \u0cca\u0ccb\u0ccc\u0ccd',
      '\u0cd5abcdefghijklmno',
      'pqrstuvwxyz\u0cd6ೠೡ\u0ce2\u0ce3',
    ].join(''),
  ],
  // Malayalam
  [
    8,
    [
      ' \u0d02\u0d03അആഇഈഉഊഋ\nഌ \rഎഏ',
      'ഐ ഒഓഔകഖഗഘങച\u001bഛജഝഞ',
      ' !ടഠഡഢണത)(ഥദ,ധ.ന',
      '0123456789:; പഫ?',
      'ബഭമയരറലളഴവശഷസഹ ഽ',
      '\u0d3e\u0d3f\u0d40\u0d41\u0d42\u0d43\u0d44 \u0d46\u0d47\u0d48 \u0d4a\u0d4b\u0d4c\u0d4d',
      '\u0d57abcdefghijklmno',
      'pqrstuvwxyzൠൡ\u0d62\u0d63൹',
    ].join(''),
  ],
  // Oriya
  [
    9,
    [
      '\u0b01\u0b02\u0b03ଅଆଇଈଉଊଋ\nଌ \r ଏ',
      'ଐ  ଓଔକଖଗଘଙଚ\u001bଛଜଝଞ',
      ' !ଟଠଡଢଣତ)(ଥଦ,ଧ.ନ',
      '0123456789:; ପଫ?',
      'ବଭମଯର ଲଳ ଵଶଷସହ\u0b3cଽ',
      '\u0b3e\u0b3f\u0b40\u0b41\u0b42\u0b43\u0b44  \u0b47\u0b48  \u0b4b\u0b4c\u0b4d',
      '\u0b56abcdefghijklmno',
      'pqrstuvwxyz\u0b57ୠୡ\u0b62\u0b63',
    ].join(''),
  ],
  // Punjabi
  [
    10,
    [
      '\u0a01\u0a02\u0a03ਅਆਇਈਉਊ \n  \r ਏ',
      'ਐ  ਓਔਕਖਗਘਙਚ\u001bਛਜਝਞ',
      ' !ਟਠਡਢਣਤ)(ਥਦ,ਧ.ਨ',
      '0123456789:; ਪਫ?',
      'ਬਭਮਯਰ ਲਲ਼ ਵਸ਼ ਸਹ\u0a3c ',
      '\u0a3e\u0a3f\u0a40\u0a41\u0a42    \u0a47\u0a48  \u0a4b\u0a4c\u0a4d',
      '\u0a51abcdefghijklmno',
      'pqrstuvwxyz\u0a70\u0a71ੲੳੴ',
    ].join(''),
  ],
  // Tamil
  [
    11,
    [
      ' \u0b82ஃஅஆஇஈஉஊ \n  \rஎஏ',
      'ஐ ஒஓஔக   ஙச\u001b ஜ ஞ',
      ' !ட   ணத)(  , .ந',
      '0123456789:;னப ?',
      '  மயரறலளழவஶஷஸஹ  ',
      '\u0bbe\u0bbf\u0bc0\u0bc1\u0bc2   \u0bc6\u0bc7\u0bc8 \u0bca\u0bcb\u0bcc\u0bcd',
      'ௐabcdefghijklmno',
      'pqrstuvwxyz\u0bd7௰௱௲௹',
    ].join(''),
  ],
  // Telugu
  [
    12,
    [
      '\u0c01\u0c02\u0c03అఆఇఈఉఊఋ\nఌ \rఎఏ',
      'ఐ ఒఓఔకఖగఘఙచ\u001bఛజఝఞ',
      ' !టఠడఢణత)(థద,ధ.న',
      '0123456789:; పఫ?',
      'బభమయరఱలళ వశషసహ ఽ',
      '\u0c3e\u0c3f\u0c40\u0c41\u0c42\u0c43\u0c44 \u0c46\u0c47\u0c48 \u0c4a\u0c4b\u0c4c\u0c4d',
      '\u0c55abcdefghijklmno',
      'pqrstuvwxyz\u0c56ౠౡ\u0c62\u0c63',
    ].join(''),
  ],
  // Urdu
  [
    13,
    [
      'اآبٻڀپڦتۂٿ\nٹٽ\rٺټ',
      'ثجځڄڃڅچڇحخد\u001bڌڈډڊ',
      ' !ڏڍذرڑړ)(ڙز,ږ.ژ',
      '0123456789:;ښسش?',
      'صضطظعفقکڪګگڳڱلمن',
      'ںڻڼوۄەہھءیېے\u064d\u0650\u064f\u0657',
      '\u0654abcdefghijklmno',
      'pqrstuvwxyz\u0655\u0651\u0653\u0656\u0670',
    ].join(''),
  ],
])

type Run = readonly [first: number, characters: string]

/** Common characters of the tables for the languages of India and Pakistan. */
const indic: readonly Run[] = [
  [0x00, '@£$¥¿"¤%&\'\f*+'],
  [0x0e, '-/<=>¡^¡_#*'],
  [0x1b, ' '],
  [0x28, '{}'],
  [0x2f, '\\'],
  [0x3c, '[~]'],
  [0x40, '|ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [0x65, '€'],
]

/** By National Language Identifier: the characters from a code on. */
const singleRuns: readonly (readonly [identifier: number, runs: readonly Run[]])[] = [
  // Turkish
  [
    1,
    [
      [0x0a, '\f'],
      [0x14, '^'],
      [0x28, '{}'],
      [0x2f, '\\'],
      [0x3c, '[~]'],
      [0x40, '|'],
      [0x47, 'Ğ'],
      [0x49, 'İ'],
      [0x53, 'Ş'],
      [0x63, 'ç'],
      [0x65, '€'],
      [0x67, 'ğ'],
      [0x69, 'ı'],
      [0x73, 'ş'],
    ],
  ],
  // Spanish
  [
    2,
    [
      [0x09, 'ç\f'],
      [0x14, '^'],
      [0x28, '{}'],
      [0x2f, '\\'],
      [0x3c, '[~]'],
      [0x40, '|Á'],
      [0x49, 'Í'],
      [0x4f, 'Ó'],
      [0x55, 'Ú'],
      [0x61, 'á'],
      [0x65, '€'],
      [0x69, 'í'],
      [0x6f, 'ó'],
      [0x75, 'ú'],
    ],
  ],
  // Portuguese
  [
    3,
    [
      [0x05, 'ê'],
      [0x09, 'ç\fÔô'],
      [0x0e, 'Áá'],
      [0x12, 'ΦΓ^ΩΠΨΣΘ'],
      [0x1f, 'Ê'],
      [0x28, '{}'],
      [0x2f, '\\'],
      [0x3c, '[~]'],
      [0x40, '|À'],
      [0x49, 'Í'],
      [0x4f, 'Ó'],
      [0x55, 'Ú'],
      [0x5b, 'ÃÕ'],
      [0x61, 'Â'],
      [0x65, '€'],
      [0x69, 'í'],
      [0x6f, 'ó'],
      [0x75, 'ú'],
      [0x7b, 'ãõ'],
      [0x7f, 'â'],
    ],
  ],
  // Bengali
  [4, [...indic, [0x19, '০১'], [0x1c, '২৩৪৫৬৭৮৯য়ৠৡ\u09e2'], [0x2a, '\u09e3৲৳৴৵'], [0x30, '৶৷৸৹৺']]],
  // Gujarati
  [5, [...indic, [0x19, '।॥'], [0x1c, '૦૧૨૩૪૫૬૭૮૯']]],
  // Hindi
  [
    6,
    [
      ...indic,
      [0x19, '।॥'],
      [0x1c, '०१२३४५६७८९\u0951\u0952'],
      [0x2a, '\u0953\u0954क़ख़ग़'],
      [0x30, 'ज़ड़ढ़फ़य़ॠॡ\u0962\u0963॰ॱ'],
    ],
  ],
  // Kannada
  [7, [...indic, [0x19, '।॥'], [0x1c, '೦೧೨೩೪೫೬೭೮೯ೞೱ'], [0x2a, 'ೲ']]],
  // Malayalam
  [8, [...indic, [0x19, '।॥'], [0x1c, '൦൧൨൩൪൫൬൭൮൯൰൱'], [0x2a, '൲൳൴൵ൺ'], [0x30, 'ൻർൽൾൿ']]],
  // Oriya
  [9, [...indic, [0x19, '।॥'], [0x1c, '୦୧୨୩୪୫୬୭୮୯ଡ଼ଢ଼'], [0x2a, 'ୟ୰ୱ']]],
  // Punjabi
  [10, [...indic, [0x19, '।॥'], [0x1c, '੦੧੨੩੪੫੬੭੮੯ਖ਼ਗ਼'], [0x2a, 'ਜ਼ੜਫ਼\u0a75']]],
  // Tamil
  [11, [...indic, [0x19, '।॥'], [0x1c, '௦௧௨௩௪௫௬௭௮௯௳௴'], [0x2a, '௵௶௷௸௺']]],
  // Telugu
  [12, [...indic, [0x1c, '౦౧౨౩౪౫౬౭౮౯ౘౙ'], [0x2a, '౸౹౺౻౼'], [0x30, '౽౾౿']]],
  // Urdu
  [
    13,
    [
      ...indic,
      [0x19, '\u0600\u0601'],
      [0x1c, '۰۱۲۳۴۵۶۷۸۹،؍'],
      [0x2a, '؎؏\u0610\u0611\u0612'],
      [0x30, '\u0613\u0614؛؟ـ\u0652\u0658٫٬ٲٳۍ'],
      [0x3f, '۔'],
    ],
  ],
]

/** By National Language Identifier: characters by their code after an escape. */
export const singleTables: ReadonlyMap<number, ReadonlyMap<number, string>> = new Map(
  singleRuns.map(([identifier, runs]) => [
    identifier,
    new Map(
      runs.flatMap(([first, characters]) =>
        [...characters].map((character, index): [number, string] => [first + index, character]),
      ),
    ),
  ]),
)
