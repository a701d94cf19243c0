import { defineTexts } from '../../i18n/texts'

/** Apart from the others, which come with the phone. */
export const phoneMenuTexts = defineTexts('phone-menu', { en: { title: 'Phone' }, de: { title: 'Telefon' } })
