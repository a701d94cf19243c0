import { defineTexts } from '../../i18n/texts'

export const presenceTexts = defineTexts('presence', {
  en: {
    availableHint: 'Calls ring here',
    busyHint: 'No call rings',
    callOf: 'Call {{name}}',
    chosenByOther: 'Someone else has set this for you.',
    colleagues: 'Colleagues',
    noColleagues: 'No other members in this team',
    noColleaguesHint: 'Your team’s other members and their states are shown here.',
    noTeams: 'You are in no team yet',
    noTeamsHint: 'A leader or an admin puts you into one. Its members are shown here then.',
    offlineHint: 'No call rings, and others see you as away',
    presence: 'Your state: {{state}}',
    team: 'Team',
    unknown: 'State unknown',
  },
  de: {
    availableHint: 'Anrufe klingeln hier',
    busyHint: 'Kein Anruf klingelt',
    callOf: '{{name}} anrufen',
    chosenByOther: 'Jemand anders hat das für Sie eingestellt.',
    colleagues: 'Kollegen',
    noColleagues: 'Sonst ist niemand in diesem Team',
    noColleaguesHint: 'Wer mit Ihnen in einem Team ist, steht hier mit dem, was er gerade tut.',
    noTeams: 'Sie sind noch in keinem Team',
    noTeamsHint: 'Ein Leiter oder Administrator nimmt Sie auf. Dann stehen hier seine Mitglieder.',
    offlineHint: 'Kein Anruf klingelt, und andere sehen Sie als abwesend',
    presence: 'Ihr Zustand: {{state}}',
    team: 'Team',
    unknown: 'Zustand unbekannt',
  },
})
