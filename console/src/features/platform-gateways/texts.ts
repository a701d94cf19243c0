import { defineTexts } from '../../i18n/texts'

export const platformGatewaysTexts = defineTexts('platform-gateways', {
  en: {
    active: 'Active',
    addresses: 'Addresses',
    allStates: 'All states',
    approve: 'Approve',
    approveQuestion: 'Approve {{title}} of {{workspace}}?',
    approveConsequence: 'From now on its calls go to these addresses:',
    approved: 'Approved',
    approvedNow: '{{title}} is approved: calls go over it',
    description:
      'Where calls of all workspaces go out. Those that wait carry no calls until you approve them.',
    emptyHint: 'Workspaces make them in their own consoles.',
    emptyTitle: 'No gateways yet',
    gateway: 'Gateway',
    pending_approval: 'Waits for approval',
    pendingHint:
      'It leads to a private network, a port below 1024, or a carrier that another workspace uses.',
    search: 'Search gateways',
    state: 'State',
    takeBack: 'Take back',
    takeBackConsequence:
      'It waits for approval again if it leads to a private network, a port below 1024, or a carrier that another workspace uses. Live calls go on.',
    takeBackQuestion: 'Take back the approval of {{title}}?',
    takenBack: '{{title}} is not approved any more',
    workspace: 'Workspace',
  },
  de: {
    active: 'Aktiv',
    addresses: 'Adressen',
    allStates: 'Alle Zustände',
    approve: 'Zustimmen',
    approveQuestion: '{{title}} von {{workspace}} zustimmen?',
    approveConsequence: 'Ab jetzt gehen seine Anrufe zu diesen Adressen:',
    approved: 'Zugestimmt',
    approvedNow: '{{title}} hat Ihre Zustimmung: Anrufe gehen darüber',
    description:
      'Wohin die Anrufe aller Arbeitsbereiche gehen. Über wartende geht kein Anruf, bis Sie zustimmen.',
    emptyHint: 'Arbeitsbereiche legen sie in ihren eigenen Konsolen an.',
    emptyTitle: 'Noch keine Gateways',
    gateway: 'Gateway',
    pending_approval: 'Wartet auf Zustimmung',
    pendingHint:
      'Es führt in ein privates Netz, zu einem Port unter 1024 oder zu einem Netzbetreiber, den ein anderer Arbeitsbereich benutzt.',
    search: 'Gateways suchen',
    state: 'Zustand',
    takeBack: 'Zurücknehmen',
    takeBackConsequence:
      'Es wartet wieder auf Zustimmung, wenn es in ein privates Netz, zu einem Port unter 1024 oder zu einem Netzbetreiber führt, den ein anderer Arbeitsbereich benutzt. Laufende Anrufe gehen weiter.',
    takeBackQuestion: 'Zustimmung zu {{title}} zurücknehmen?',
    takenBack: '{{title}} hat Ihre Zustimmung nicht mehr',
    workspace: 'Arbeitsbereich',
  },
})
