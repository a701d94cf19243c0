import { expect } from 'chai'
import {
  type OptOutContext,
  type OptOutWords,
  optOutWordOf,
  optOutWords,
} from '../../src/features/messages/inbound/opt-out-words.js'

const at = (countries: string[], own: Partial<OptOutContext['own']> = {}): OptOutWords =>
  optOutWords({ countries, own: { stop: [], start: [], help: [], ...own } })

const meaningsOf = (texts: readonly string[], context = at(['US'])) =>
  texts.flatMap((text) => {
    const meaning = optOutWordOf(text, context)
    return meaning === 'stop' ? [] : [`${text}: ${meaning}`]
  })

describe('words by which clients opt out', () => {
  it('are known with any punctuation, symbols and invisible characters around them', () => {
    const texts = [
      ...[
        'STOP',
        'stop',
        'Stop.',
        'STOP!',
        'STOP,',
        'STOP?',
        '(STOP)',
        '"stop"',
        '«STOP»',
        'STOP…',
        'STOP -',
      ],
      ...[
        'STOP\n',
        'STOP\u00a0',
        'STOP\u200b',
        '\ufeffSTOP',
        'ST\u200dOP',
        'STOP\0',
        'S.T.O.P',
        's t o p',
        'STOP:',
      ],
      ...[
        'stop;',
        '*STOP*',
        '_STOP_',
        '¡STOP!',
        '¿stop?',
        '【STOP】',
        '「STOP」',
        'STOP。',
        'STOP、',
        'STOP؟',
        'STOP।',
      ],
      ...[
        'STOP 🙏',
        'STOP🛑',
        '🛑',
        '🛑🛑',
        'STOP 👍🏽',
        'STOP ❤️',
        'ＳＴＯＰ',
        'ｓｔｏｐ！',
        'Ⓢⓣⓞⓟ',
        '𝐒𝐓𝐎𝐏',
        '>STOP<',
      ],
    ]
    expect(meaningsOf(texts)).to.deep.equal([])
  })

  it('are known when they are repeated, polite, or say what is to stop', () => {
    const texts = [
      ...['STOP STOP', 'stop stop stop!!', 'STOP/END', 'STOP ALL', 'OPT-OUT', 'Opt out', 'opt out!'],
      ...[
        'STOP PLEASE',
        'please stop',
        'Pls stop, thanks',
        'Stop. Thank you',
        'stop texting me',
        'Unsubscribe me',
      ],
      ...[
        'stop sending me messages',
        'Quit texting me',
        'stop all messages now',
        'Please stop messaging me, thank you!',
      ],
      ...['TXT STOP', 'Reply STOP', 'STOP to 12345', 'Text STOP to 12345', 'Reply STOP to unsubscribe'],
      ...[
        'stop por favor',
        'STOP SVP',
        "stop s'il vous plaît",
        'Stopp bitte',
        'Стоп, пожалуйста',
        'cancel please',
      ],
    ]
    expect(meaningsOf(texts)).to.deep.equal([])
  })

  it('are known in other languages, with and without their accents', () => {
    const texts = [
      ...[
        'ARRET',
        'ARRÊT',
        'Arrêt',
        'Arre\u0302t',
        'arrêter',
        'BAJA',
        'PARAR',
        'ALTO',
        'STOPP',
        'СТОП',
        'стоп!',
        'ΣΤΟΠ',
      ],
      ...[
        'désabonner',
        'abmelden',
        'Отписаться',
        'İptal',
        'iptal',
        'הסר',
        'إلغاء',
        '退订',
        '配信停止',
        '수신거부',
        'ยกเลิก',
      ],
    ]
    expect(meaningsOf(texts)).to.deep.equal([])
  })

  it('that mean something else elsewhere hold in the countries of their language alone', () => {
    const rows: [string, string, string][] = [
      ...([
        ['FIN', 'FR', 'GB'],
        ['FINE', 'IT', 'US'],
        ['ENDE', 'DE', 'US'],
        ['EINDE', 'NL', 'US'],
      ] as [string, string, string][]),
      ...([
        ['SAIR', 'BR', 'US'],
        ['RET', 'TR', 'US'],
        ['TD', 'CN', 'CA'],
        ['ALTO', 'MX', 'IT'],
        ['BAJA', 'ES', 'GB'],
      ] as [string, string, string][]),
    ]
    for (const [word, there, elsewhere] of rows) {
      expect(optOutWordOf(word, at([there])), `${word} in ${there}`).to.equal('stop')
      expect(optOutWordOf(word, at([elsewhere])), `${word} in ${elsewhere}`).to.equal(null)
    }
    expect(optOutWordOf('FIN', at(['US', 'FR']))).to.equal('stop')
  })

  it('are no words within a text that says something else', () => {
    const texts = [
      ...[
        'stop by at 5',
        "don't stop",
        'don’t stop',
        'do not stop',
        'bus stop',
        'the stop',
        'non-stop',
        'nonstop',
        'Stop it',
      ],
      ...[
        'I stop at 5',
        'stop 5',
        'stop at 12345',
        'stop?? why',
        'cancel my appointment',
        'Cancel all',
        'cancel 12345',
      ],
      ...[
        'The end',
        'end of day',
        'weekend',
        'help me please call',
        'yes please',
        'yes, 5 pm',
        'no',
        '5',
        '',
        '…',
        '🙏',
        'please',
      ],
      ...[
        'thank you',
        'reply',
        'to 12345',
        'stops',
        'unstoppable',
        'quit smoking',
        'I want to stop smoking',
        'start by 5',
      ],
      ...[
        'stop start',
        'STOP HELP',
        'STOPHELP',
        'not stop',
        'never stop',
        'stop or go',
        'la fin',
        `STOP${' '.repeat(90)}`,
      ],
    ]
    const found = texts.flatMap((text) => {
      const meaning = optOutWordOf(text, at(['US', 'FR', 'DE']))
      return meaning === null ? [] : [`${text}: ${meaning}`]
    })
    expect(found).to.deep.equal([])
  })

  it('start and help are read alike', () => {
    const expected: Record<string, string | null> = {
      ...{
        'start!': 'start',
        ＳＴＡＲＴ: 'start',
        'START START': 'start',
        'Start, please': 'start',
        UNSTOP: 'start',
      },
      ...{ 'Yes.': 'start', СТАРТ: 'start', ALTA: 'start', 'Help?': 'help', '¿AYUDA?': 'help', Aide: 'help' },
      ...{
        'INFO…': 'help',
        hilfe: 'help',
        'Reply START to 12345': 'start',
        'start the car': null,
        'help yourself': null,
      },
    }
    for (const [text, meaning] of Object.entries(expected)) {
      expect(optOutWordOf(text, at(['MX'])), text).to.equal(meaning)
    }
  })

  it('of a workspace hold beside all others, and before them', () => {
    const own = at(['US'], { stop: ['No más', 'ya basta'], start: ['Dale'], help: ['STOPP'] })
    expect(optOutWordOf('no mas!', own)).to.equal('stop')
    expect(optOutWordOf('YA BASTA, por favor', own)).to.equal('stop')
    expect(optOutWordOf('dale 🙏', own)).to.equal('start')
    expect(optOutWordOf('stopp', own)).to.equal('help')
    expect(optOutWordOf('stop', own)).to.equal('stop')
    expect(optOutWordOf('no mas que eso', own)).to.equal(null)
  })
})
