import { defineTexts } from '../../i18n/texts'

/** What people may do, in the same words everywhere; the API calls who has no other role `member`, or `agent`. */
export const roleWords = defineTexts('roles', {
  en: { admin: 'Admin', agent: 'Agent', leader: 'Leader', member: 'Agent', supervisor: 'Supervisor' },
  de: { admin: 'Administrator', agent: 'Agent', leader: 'Leiter', member: 'Agent', supervisor: 'Supervisor' },
})
