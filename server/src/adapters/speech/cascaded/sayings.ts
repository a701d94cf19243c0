/** How to speak the punctuation of addresses and telephone numbers, by language. */
export interface Saying {
  readonly at: string
  readonly dot: string
  readonly slash: string
  readonly dash: string
  readonly underscore: string
  readonly plus: string
  /** Before a telephone number, or a number that is dialled or spelled; its group is the text between them. */
  readonly ofPhones: RegExp
}

const phones = (words: string) => new RegExp(`(?:^.*[^\\p{L}]|^)(?:${words})([^\\d.!?]{0,12})$`, 'iu')

const sayings = {
  en: {
    ...{ at: 'at', dot: 'dot', slash: 'slash', dash: 'dash', underscore: 'underscore', plus: 'plus' },
    ofPhones: phones('call|dial|phone|telephone|mobile|fax|tel\\.?|pin|code|extension'),
  },
  de: {
    ...{ at: 'at', dot: 'Punkt', slash: 'Schrägstrich', dash: 'Strich', underscore: 'Unterstrich' },
    ...{
      plus: 'plus',
      ofPhones: phones('telefon(?:nummer)?|rufnummer|handy|mobil|fax|tel\\.?|pin|code|durchwahl'),
    },
  },
  fr: {
    ...{ at: 'arobase', dot: 'point', slash: 'slash', dash: 'tiret', underscore: 'tiret bas', plus: 'plus' },
    ofPhones: phones('téléphone|appelez|composez|portable|fax|tél\\.?|code'),
  },
  es: {
    ...{ at: 'arroba', dot: 'punto', slash: 'barra', dash: 'guion', underscore: 'guion bajo', plus: 'más' },
    ofPhones: phones('teléfono|llame|llámenos|marque|móvil|celular|fax|tel\\.?|tfno\\.?|código|pin'),
  },
  it: {
    ...{ at: 'chiocciola', dot: 'punto', slash: 'barra', dash: 'trattino', underscore: 'trattino basso' },
    ...{ plus: 'più', ofPhones: phones('telefono|chiami|cellulare|fax|tel\\.?|codice|pin') },
  },
  pt: {
    ...{ at: 'arroba', dot: 'ponto', slash: 'barra', dash: 'hífen', underscore: 'sublinhado', plus: 'mais' },
    ofPhones: phones('telefone|ligue|celular|telemóvel|fax|tel\\.?|código|pin'),
  },
  nl: {
    ...{
      at: 'apenstaartje',
      dot: 'punt',
      slash: 'schuine streep',
      dash: 'streepje',
      underscore: 'liggend streepje',
    },
    ...{ plus: 'plus', ofPhones: phones('telefoon(?:nummer)?|bel|mobiel|fax|tel\\.?|code|pin') },
  },
  pl: {
    ...{
      at: 'małpa',
      dot: 'kropka',
      slash: 'ukośnik',
      dash: 'myślnik',
      underscore: 'podkreślenie',
      plus: 'plus',
    },
    ofPhones: phones('telefon(?:u)?|zadzwoń|komórka|faks|tel\\.?|kod|pin'),
  },
  tr: {
    ...{ at: 'et', dot: 'nokta', slash: 'bölü', dash: 'tire', underscore: 'alt çizgi', plus: 'artı' },
    ofPhones: phones('telefon|arayın|cep|faks|tel\\.?|kod|pin'),
  },
} satisfies Record<string, Saying>

/** @param language ISO 639; unknown ones are spoken as English */
export function sayingOf(language: string): Saying {
  return Object.entries(sayings).find(([known]) => known === language)?.[1] ?? sayings.en
}
