/** The user's language: the chosen one, else the browser's, else English. */
import dayjs from 'dayjs'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { fetched } from '../api/fetched'
import { type Translations, tablesOf } from './tables'

interface SpokenLanguage {
  name: string
  /** English is in the code of the features: it is what they show where a language lacks a text. */
  load?: () => Promise<{ default: Translations }>
}

export const languages = {
  en: { name: 'English' },
  de: { name: 'Deutsch', load: async () => import('./german') },
} satisfies Record<string, SpokenLanguage>

export type Language = keyof typeof languages

const storageKey = 'jackfield.language'

function isLanguage(value: string | null | undefined): value is Language {
  return value !== null && value !== undefined && value in languages
}

function preferred(): Language {
  const stored = localStorage.getItem(storageKey)
  if (isLanguage(stored)) return stored
  const asked = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage)
  return asked ?? 'en'
}

void i18next.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  defaultNS: 'i18n/common',
  fallbackNS: 'i18n/common',
  interpolation: { escapeValue: false },
  initAsync: false,
  resources: {},
})
i18next.on('languageChanged', (language) => {
  document.documentElement.lang = language
  dayjs.locale(language)
})

let wanted: Language

/** Loads the language's texts where they are missing, and shows the page in it. */
async function speak(language: Language): Promise<void> {
  wanted = language
  const { load }: SpokenLanguage = languages[language]
  if (load) {
    const { default: translations } = await fetched(load)
    for (const { namespace, table } of tablesOf(translations))
      i18next.addResourceBundle(language, namespace, table)
  }
  if (wanted === language) await i18next.changeLanguage(language)
}

/** English where the server no longer has the texts. */
export async function speakPreferred(): Promise<void> {
  await speak(preferred()).catch(async () => speak('en'))
}

/** @throws {OldPage} when the server no longer has the texts */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language)
  return speak(language)
}

/** BCP 47 tag for `Intl`: the chosen language, with the browser's region if the language matches. */
export function locale(): string {
  const { language } = i18next
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language
}

/** Cached by language: creating a formatter for each row would slow down a list of a hundred rows. */
export function perLocale<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>()
  return () => {
    const tag = locale()
    const format = made.get(tag) ?? make(tag)
    made.set(tag, format)
    return format
  }
}
