import { defineTextGroups } from '../../i18n/texts'
import en from './locales/en.json'

export const { teams: teamsTexts, ownTeams: ownTeamsTexts } = defineTextGroups('teams', en)
