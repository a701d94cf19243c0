/** What announces a recording where the workspace has no words of its own, by the language of the voice. */
const texts: Readonly<Record<string, string>> = {
  de: 'Dieser Anruf wird aufgezeichnet.',
  en: 'This call is being recorded.',
  es: 'Esta llamada se está grabando.',
  fr: 'Cet appel est enregistré.',
  it: 'Questa chiamata viene registrata.',
  nl: 'Dit gesprek wordt opgenomen.',
  pl: 'Ta rozmowa jest nagrywana.',
  pt: 'Esta chamada está sendo gravada.',
}

/** @param voice of espeak-ng, such as `en-us`; null: English */
export function noticeTextOf(voice: string | null): string {
  const [language = ''] = (voice ?? 'en').split(/[-+_]/)
  return texts[language.toLowerCase()] ?? texts['en'] ?? ''
}
