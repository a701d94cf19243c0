import { defineTexts } from '../../i18n/texts'

export const presenceTexts = defineTexts('presence', {
  en: {
    availableHint: 'Calls ring here',
    busyHint: 'No call rings',
    callOf: 'Call {{name}}',
    chosenByOther: 'Somebody else has chosen this for you.',
    colleagues: 'Colleagues',
    noColleagues: 'Nobody else is in this team',
    noColleaguesHint: 'Who is in a team with you is shown here, with what they do.',
    noTeams: 'You are in no team yet',
    noTeamsHint: 'A leader or an admin puts you into one. Its members are shown here then.',
    offlineHint: 'No call rings, and others see you as gone',
    presence: 'Your state: {{state}}',
    team: 'Team',
    unknown: 'State unknown',
  },
  de: {
    availableHint: 'Anrufe klingeln hier',
    busyHint: 'Kein Anruf klingelt',
    callOf: '{{name}} anrufen',
    chosenByOther: 'Jemand anders hat das für Sie gewählt.',
    colleagues: 'Kollegen',
    noColleagues: 'Sonst ist niemand in diesem Team',
    noColleaguesHint: 'Wer mit Ihnen in einem Team ist, steht hier mit dem, was er gerade tut.',
    noTeams: 'Sie sind noch in keinem Team',
    noTeamsHint: 'Ein Leiter oder Administrator nimmt Sie auf. Dann stehen hier seine Mitglieder.',
    offlineHint: 'Kein Anruf klingelt, und andere sehen Sie als fort',
    presence: 'Ihr Zustand: {{state}}',
    team: 'Team',
    unknown: 'Zustand unbekannt',
  },
})
