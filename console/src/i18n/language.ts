/** The user's language: the chosen one, else the browser's, else English. */
import 'dayjs/locale/de.js'
import dayjs from 'dayjs'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

export const languages = { en: 'English', de: 'Deutsch' } as const

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

function apply(language: string): void {
  document.documentElement.lang = language
  dayjs.locale(language)
}

void i18next.use(initReactI18next).init({
  lng: preferred(),
  fallbackLng: 'en',
  defaultNS: 'common',
  interpolation: { escapeValue: false },
  initAsync: false,
  resources: {},
})
apply(i18next.language)
i18next.on('languageChanged', apply)

export function chooseLanguage(language: Language): void {
  localStorage.setItem(storageKey, language)
  void i18next.changeLanguage(language)
}

/** BCP 47 tag for `Intl`: the chosen language, with the browser's region if the language matches. */
export function locale(): string {
  const { language } = i18next
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language
}
