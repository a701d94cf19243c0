import { choice, optionalText, text, yesNo } from '../lib/fields.js'

/** Fields of an agent, besides password and picture. */
export const agentFields = {
  username: text('username', '3 to 30 lowercase letters and digits', { ask: 'Username' }),
  'display-name': text('display_name', 'name that people read', { ask: 'Name' }),
  email: optionalText('email', 'e-mail address'),
  role: choice('role', 'what the agent may do', ['member', 'leader', 'supervisor']),
  country: text('country_code', 'two-letter country code', { helpValue: '<US>' }),
  admin: yesNo('is_admin', 'whether the agent may do all that an owner’s API key may'),
  'voicemail-by-email': yesNo('voicemail_by_email', 'whether voicemails are sent to the e-mail'),
  active: yesNo('is_active', 'whether the agent may log in'),
}

/** Columns of lists of agents. */
export const agentColumns = {
  shown: ['id', 'username', 'display_name', 'email', 'role', 'state', 'is_active'],
  hidden: ['is_admin', 'domain', 'avatar', 'country_code', 'voicemail_by_email', 'created_at', 'updated_at'],
} as const
