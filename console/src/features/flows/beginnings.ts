/** What a new flow may begin with: a template, or nothing. Apart from the templates, which load with their page. */
export const templateNames = [
  'team',
  'menu',
  'hours',
  'person',
  'queue',
  'night',
  'survey',
  'mobile',
] as const

export type TemplateName = (typeof templateNames)[number]

export const beginnings = [...templateNames, 'blank'] as const

export type Beginning = (typeof beginnings)[number]
