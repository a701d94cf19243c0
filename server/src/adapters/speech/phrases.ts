/** The few sentences that the platform itself says in the place of a voice agent, in the languages that it knows. */

export type Phrase =
  /** A tool takes long. */
  | 'moment'
  /** The caller's words led to no answer. */
  | 'again'
  /** The voice agent cannot be had, or is lost. */
  | 'apology'

const phrases: Readonly<Record<string, Readonly<Record<Phrase, string>>>> = {
  en: {
    moment: 'One moment, please.',
    again: 'Sorry, could you say that again?',
    apology: 'Sorry, our assistant is not available at the moment.',
  },
  de: {
    moment: 'Einen Moment, bitte.',
    again: 'Entschuldigung, könnten Sie das bitte wiederholen?',
    apology: 'Entschuldigung, unser Assistent ist im Moment nicht erreichbar.',
  },
  fr: {
    moment: 'Un instant, s’il vous plaît.',
    again: 'Pardon, pourriez-vous répéter ?',
    apology: 'Désolé, notre assistant n’est pas disponible pour le moment.',
  },
  es: {
    moment: 'Un momento, por favor.',
    again: 'Perdone, ¿podría repetirlo?',
    apology: 'Lo sentimos, nuestro asistente no está disponible en este momento.',
  },
  it: {
    moment: 'Un momento, per favore.',
    again: 'Mi scusi, può ripetere?',
    apology: 'Ci dispiace, il nostro assistente non è disponibile al momento.',
  },
  pt: {
    moment: 'Um momento, por favor.',
    again: 'Desculpe, poderia repetir?',
    apology: 'Lamentamos, o nosso assistente não está disponível neste momento.',
  },
  nl: {
    moment: 'Een moment, alstublieft.',
    again: 'Sorry, kunt u dat herhalen?',
    apology: 'Sorry, onze assistent is op dit moment niet beschikbaar.',
  },
  pl: {
    moment: 'Chwileczkę, proszę.',
    again: 'Przepraszam, czy można powtórzyć?',
    apology: 'Przepraszamy, nasz asystent jest teraz niedostępny.',
  },
  tr: {
    moment: 'Bir dakika, lütfen.',
    again: 'Pardon, tekrar eder misiniz?',
    apology: 'Üzgünüz, asistanımız şu anda hizmet veremiyor.',
  },
}

export function hasPhrases(language: string): boolean {
  return language in phrases
}

/** @param language ISO 639; English where it is not known, or not among ours */
export function phraseOf(language: string | undefined, which: Phrase): string {
  return (phrases[language ?? 'en'] ?? phrases['en'])?.[which] ?? ''
}
