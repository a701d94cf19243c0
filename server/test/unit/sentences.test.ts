/** Where sentences end as people write them, and how numbers and addresses are said. */
import { expect } from 'chai'
import fc from 'fast-check'
import { sentenceEnds } from '../../src/adapters/speech/cascaded/sentence-ends.js'
import { Sentences } from '../../src/adapters/speech/cascaded/sentences.js'
import { spokenForm } from '../../src/adapters/speech/cascaded/spoken-form.js'

/** Sentences are parted by bars. */
const written: [language: string, text: string][] = [
  ['en', 'Dr. Smith will see you at 9.30 a.m. on Friday. | Is that fine?'],
  ['en', 'Please ask Mrs. Jones or Mr. O. K. Brown. | They know it.'],
  ['en', 'The total is $1,234.56 incl. tax. | Shall I go on?'],
  ['en', 'Call us at +1 (202) 555-0142. | We are open from 9 a.m. to 5 p.m. | See you!'],
  ['en', 'Write to info@acme.example.com or see www.acme.com/help. | Goodbye.'],
  ['en', 'Version 2.0.1 is out. | It is No. 5 on the list.'],
  ['en', 'Wait... what did you say? | I did not hear you.'],
  ['en', 'She works at Acme Inc. in Washington D.C. and lives in St. Louis. | Yes.'],
  ['en', 'He said "Stop!" and left. | Nobody knew why.'],
  ['en', 'Really?! | Yes, really!'],
  ['en', 'That is e.g. a bakery, i.e. a shop, etc. and so on. | Fine.'],
  ['en', 'Your code is A. B. 4. 7. | Did you get that?'],
  ['en', 'It is on Nov. 26 at the U.S. embassy. | Bring your I.D. card.'],
  ['en', 'We open at 9. | We close at 5.'],
  ['de', 'Herr Dr. Müller hat am 3. Oktober um 9.30 Uhr Zeit. | Passt das?'],
  ['de', 'Das kostet ca. 1.234,50 Euro inkl. MwSt. und Versand. | Möchten Sie bestellen?'],
  ['de', 'Wir sind z. B. montags da, d. h. ab 8 Uhr. | Bis dann.'],
  ['de', 'Die Nr. 5 in der Hauptstr. 12 ist frei. | Gut.'],
  ['de', 'Rufen Sie Tel. 030 123456 an. | Danke.'],
  ['de', 'Am 24.12.2026 bzw. am 1. Januar ist zu. | Frohe Feiertage!'],
  ['de', 'Der 2. Termin ist frei. | Wir sind im 3. Stock links.'],
  ['de', 'Sie öffnen im Jahr 2026. | Unsere Preise bleiben. | Bis zum 3. | Dann sehen wir weiter.'],
  ['de', 'Prof. Dr. med. Weber ruft zurück. | Auf Wiederhören!'],
  ['fr', 'M. Dupont et Mme. Martin arrivent à 9 h. 30. | D’accord ?'],
  ['fr', 'Le Dr. Petit vous attend au no. 12, av. Foch. | Merci.'],
  ['fr', 'Le prix est de 1 234,50 € env. par mois. | Cela vous va ?'],
  ['fr', 'Bonjour ! | Comment allez-vous ? | Bien.'],
  ['es', 'El Sr. García y la Sra. López llegan a las 9.30 a. m. mañana. | ¿Le parece bien?'],
  ['es', '¡Hola! | ¿En qué puedo ayudarle?'],
  ['es', 'Está en la Av. Mayor núm. 5. | Gracias.'],
  ['es', 'Ud. debe 1.234,50 euros aprox. este mes. | ¿De acuerdo?'],
  ['pt', 'O Sr. Silva e a Sra. Costa chegam às 9.30. | Está bem?'],
  ['pt', 'O Dr. Souza atende na Av. Paulista, n.º 5. | Obrigado.'],
  ['pt', 'O preço é R$ 1.234,50 aprox. por mês. | Aceita?'],
  ['it', 'Il sig. Rossi e la sig.ra Bianchi arrivano alle 9.30. | Va bene?'],
  ['it', 'Il dott. Verdi è in via Roma n. 5. | Grazie.'],
  ['it', 'Il prezzo è 1.234,50 euro ca. al mese. | Accetta?'],
  ['nl', 'Dhr. Jansen en mevr. De Vries komen om 9.30 uur. | Is dat goed?'],
  ['nl', 'Dat is bijv. een winkel, d.w.z. een zaak. | Dank u.'],
  ['pl', 'Pan dr. Kowalski przyjmie o godz. 9.30 przy ul. Długiej 5. | Czy to pasuje?'],
  ['tr', 'Dr. Yılmaz sizi saat 9.30’da bekliyor. | Uygun mu?'],
  ['zh', '我们每天早上九点开门营业。| 请问您想预订吗？| 谢谢。'],
  ['ja', '午前9時に開きます。| よろしいですか？'],
  ['hi', 'आप कैसे हैं? | मैं ठीक हूँ। | धन्यवाद।'],
  ['ar', 'كيف حالك؟ | أنا بخير.'],
  ['ru', 'Г-н Иванов живёт на ул. Ленина, д. 5. | Хорошо?'],
]

const spaced = (language: string, sentences: string[]) => sentences.join(/zh|ja/.test(language) ? '' : ' ')

function cut(text: string, language: string): string[] {
  const ends = sentenceEnds(text, language, true)
  return [...ends, text.length].map((end, index) => text.slice(ends[index - 1] ?? 0, end).trim())
}

describe('sentences as people write them', () => {
  for (const [language, text] of written) {
    it(`end where they end, whole and streamed: ${language}: ${text}`, () => {
      const sentences = text.split('|').map((one) => one.trim())
      const whole = spaced(language, sentences)
      expect(cut(whole, language)).to.deep.equal(sentences)
      for (const size of [1, 3, 8]) {
        const streamed = new Sentences(language)
        const parts = whole.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
        const pieces = [...parts.flatMap((part) => streamed.push(part)), ...streamed.end()]
        expect(pieces.join('')).to.equal(whole)
        // Short ones are spoken together with the next, but none is cut elsewhere.
        const ends = new Set(
          sentences.map((_, index) => spaced(language, sentences.slice(0, index + 1)).length),
        )
        let at = 0
        for (const piece of pieces) {
          at += piece.length
          expect([...ends], piece).to.include(whole.slice(0, at).trimEnd().length)
        }
      }
    })
  }

  it('are told as soon as what follows shows it', () => {
    const sentences = new Sentences('en')
    expect(sentences.push('We open at eight o’clock. ')).to.deep.equal([])
    expect(sentences.push('W')).to.deep.equal(['We open at eight o’clock. '])
    expect(sentences.push('e close. Would you like to come?')).to.deep.equal([])
    expect(sentences.end()).to.deep.equal(['We close. Would you like to come?'])
    const lines = new Sentences('en')
    expect(lines.push('We have bread and rolls\n- a')).to.deep.equal(['We have bread and rolls\n'])
  })

  it('lose nothing of any text, and come to an end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.constantFrom('en', 'de', 'xx'),
        (parts, language) => {
          const sentences = new Sentences(language)
          const pieces = [...parts.flatMap((part) => sentences.push(part)), ...sentences.end()]
          expect(pieces.join('').trimEnd()).to.equal(parts.join('').trimEnd())
        },
      ),
    )
    const since = performance.now()
    const long = new Sentences('de')
    const pieces = [...long.push('Am 3. Mai kommt Dr. Weber. '.repeat(2_000)), ...long.end()]
    expect(pieces.length).to.be.above(1_000)
    expect(performance.now() - since).to.be.below(4_000)
  })
})

describe('the spoken form', () => {
  const forms: [language: string, text: string, spoken: string][] = [
    ['en', 'Call +1 (202) 555-0142 today.', 'Call plus 1, 2 0 2, 5 5 5, 0 1 4 2 today.'],
    ['en', 'Our number is 202-555-0142.', 'Our number is 2 0 2, 5 5 5, 0 1 4 2.'],
    ['de', 'Unsere Nummer ist 030 123456.', 'Unsere Nummer ist 0 3 0, 1 2 3, 4 5 6.'],
    ['fr', 'Appelez le 01 23 45 67 89.', 'Appelez le 0 1, 2 3, 4 5, 6 7, 8 9.'],
    ['es', 'Llame al 612 345 678.', 'Llame al 6 1 2, 3 4 5, 6 7 8.'],
    ['en', 'Your order 47110815 is ready.', 'Your order 4 7 1, 1 0 8, 1 5 is ready.'],
    ['en', 'The code is AB12, or X7-4471.', 'The code is A B 1 2, or X 7, 4 4 7 1.'],
    ['en', 'Your PIN is 0815.', 'Your PIN is 0 8 1 5.'],
    ['en', 'Call 911, or call us at 55123.', 'Call 9 1 1, or call us at 5 5 1 2 3.'],
    ['en', 'Dial extension 204.', 'Dial extension 2 0 4.'],
    ['en', 'Card 4111 1111 1111 1111 is taken.', 'Card 4 1 1 1, 1 1 1 1, 1 1 1 1, 1 1 1 1 is taken.'],
    ['en', 'Write to info@my-shop.example.com.', 'Write to info at my dash shop dot example dot com.'],
    ['de', 'Mail an max_m@acme.de, bitte.', 'Mail an max Unterstrich m at acme Punkt de, bitte.'],
    ['fr', 'Voir https://www.acme.fr/aide/?a=1.', 'Voir www point acme point fr slash aide.'],
    ['en', 'It is on 2026-11-26.', 'It is on November 26, 2026.'],
    ['de', 'Am 24.12.2026 um 9.30 Uhr.', 'Am 24. Dezember 2026 um 9 Uhr 30.'],
    ['it', 'Il 03/05/2026 va bene.', 'Il 3 maggio 2026 va bene.'],
    ['pt', 'Em 03/05/2026.', 'Em 3 de maio de 2026.'],
  ]
  for (const [language, text, spoken] of forms) {
    it(`is what people say: ${language}: ${text}`, () => expect(spokenForm(text, language)).to.equal(spoken))
  }

  const left: [language: string, text: string][] = [
    ['en', 'That is $1,234.56, or 1,234,567 in all.'],
    ['en', 'We were open from 2019-2026, 9:30 to 17:00.'],
    ['en', 'It costs 1000000 dollars, and 12345678 % more.'],
    ['en', 'We call back in 2026, or at 1600.'],
    ['en', 'Use version 10.0.1 of COVID-19 and MP3.'],
    ['en', 'On 03/05/2026 we are closed.'],
    ['en', 'That is 99 of 100, in 2026, at 1600 Main Street.'],
    ['de', 'Das sind 1.234.567 Euro.'],
    ['fr', 'Il y a 1 234 567 habitants.'],
    ['de', 'Am 45.13.2026 nicht.'],
  ]
  for (const [language, text] of left) {
    it(`leaves quantities as they are: ${language}: ${text}`, () =>
      expect(spokenForm(text, language)).to.equal(text))
  }

  it('takes linear time', () => {
    for (const text of [
      '1 '.repeat(50_000),
      'a@'.repeat(50_000),
      'A1-'.repeat(30_000),
      '+('.repeat(50_000),
    ]) {
      const since = performance.now()
      spokenForm(text)
      expect(performance.now() - since, text.slice(0, 6)).to.be.below(1_000)
    }
  })
})
