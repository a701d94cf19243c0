import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const { inbox: inboxTexts, cannedReplies: cannedTexts } = defineTextGroups('inbox', en)
