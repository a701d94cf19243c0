import { defineTexts } from '../../i18n/texts'

/** Names of roles, the same everywhere; without another role the API says `member`, or `agent`. */
export const roleWords = defineTexts('roles', {
  en: { admin: 'Admin', agent: 'Agent', leader: 'Leader', member: 'Agent', supervisor: 'Supervisor' },
  de: { admin: 'Administrator', agent: 'Agent', leader: 'Leiter', member: 'Agent', supervisor: 'Supervisor' },
})
