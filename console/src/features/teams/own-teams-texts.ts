import { defineTexts } from '../../i18n/texts'

export const ownTeamsTexts = defineTexts('own-teams', {
  en: {
    add: 'Add to the team',
    colleague: 'Colleague',
    description: 'Who takes calls and messages with you.',
    leadersChange: 'Leaders and admins change who is in a team.',
    members: 'Beside you in {{team}}',
    name: 'Name',
    noColleagues: 'There are no other members in this team yet.',
    remove: 'Take {{name}} out of the team',
    role: 'Role',
    state: 'State',
  },
  de: {
    add: 'Ins Team nehmen',
    colleague: 'Kollegin oder Kollege',
    description: 'Wer mit Ihnen Anrufe und Nachrichten annimmt.',
    leadersChange: 'Wer in einem Team ist, ändern Leiter und Administratoren.',
    members: 'Neben Ihnen in {{team}}',
    name: 'Name',
    noColleagues: 'Sonst ist noch niemand in diesem Team.',
    remove: '{{name}} aus dem Team nehmen',
    role: 'Rolle',
    state: 'Zustand',
  },
})
