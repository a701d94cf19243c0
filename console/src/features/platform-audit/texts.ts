/** Texts in addition to those of a workspace's audit log. */
import { defineTexts } from '../../i18n/texts'

export const platformAuditTexts = defineTexts('platform-audit', {
  en: {
    actorKind: 'Actor',
    agent: 'Agent',
    allActors: 'Everybody',
    allWorkspaces: 'All, and the platform',
    api_key: 'API key',
    client: 'App’s client',
    description: 'Who changed what in all workspaces, and what you did outside of them.',
    details: 'Details of {{action}}, {{target}}',
    emptyHint: 'Every change that is made from now on stands here.',
    emptyTitle: 'Nothing has been changed yet',
    operator: 'Operator',
    platform: 'Platform',
    system: 'The platform itself',
    workspace: 'Workspace',
  },
  de: {
    actorKind: 'Akteur',
    agent: 'Agent',
    allActors: 'Alle',
    allWorkspaces: 'Alle, und die Plattform',
    api_key: 'API-Schlüssel',
    client: 'Client einer App',
    description:
      'Wer in allen Arbeitsbereichen was geändert hat, und was Sie außerhalb von ihnen getan haben.',
    details: 'Einzelheiten zu {{action}}, {{target}}',
    emptyHint: 'Jede Änderung ab jetzt steht hier.',
    emptyTitle: 'Noch wurde nichts geändert',
    operator: 'Betreiber',
    platform: 'Plattform',
    system: 'Die Plattform selbst',
    workspace: 'Arbeitsbereich',
  },
})
