/** Type of number and numbering plan (SMPP 3.4, 5.2.5 and 5.2.6), by their numbers. */

const byNumber = (most: number, names: Readonly<Record<number, string>>) =>
  Array.from({ length: most + 1 }, (_, value) => ({
    value: String(value),
    label: names[value] ? `${value} – ${names[value]}` : String(value),
  }))

export const numberTypes = byNumber(7, {
  ...{ 0: 'unknown', 1: 'international', 2: 'national', 3: 'network specific' },
  ...{ 4: 'subscriber number', 5: 'alphanumeric', 6: 'abbreviated' },
})

export const numberPlans = byNumber(31, {
  ...{ 0: 'unknown', 1: 'ISDN (E.164)', 3: 'data (X.121)', 4: 'telex (F.69)', 6: 'land mobile (E.212)' },
  ...{ 8: 'national', 9: 'private', 10: 'ERMES', 14: 'Internet (IP)', 18: 'WAP client id' },
})
