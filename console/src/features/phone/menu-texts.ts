import { defineTexts } from '../../i18n/texts'

/** Separate: the phone's texts load with the phone. */
export const phoneMenuTexts = defineTexts('phone-menu', { en: { title: 'Phone' }, de: { title: 'Telefon' } })
