/** Figures as text. Apart from what draws values: the first page needs these alone. */
import { perLocale } from '../i18n/language'

const money = perLocale(
  (tag) => new Intl.NumberFormat(tag, { style: 'currency', currency: 'USD', maximumFractionDigits: 6 }),
)
const cents = perLocale((tag) => new Intl.NumberFormat(tag, { style: 'currency', currency: 'USD' }))
const count = perLocale((tag) => new Intl.NumberFormat(tag))

/** US dollars: cents, and what is less than a dollar as exactly as the API keeps it. */
export function moneyOf(amount: number): string {
  return Math.abs(amount) >= 1 ? cents().format(amount) : exactMoneyOf(amount)
}

/** A price in US dollars, with as many decimals as the API keeps: it is multiplied. */
export function exactMoneyOf(amount: number): string {
  return money().format(amount)
}

/** The decimal separator. */
export function decimalSeparator(): string {
  return (
    count()
      .formatToParts(0.5)
      .find(({ type }) => type === 'decimal')?.value ?? '.'
  )
}

export function countOf(value: number): string {
  return count().format(value)
}
