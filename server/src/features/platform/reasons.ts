/** Every state of a checklist item with its texts. `{name}` is replaced by a value. */
import type { CheckState } from './checklist.schema.js'

interface Reason {
  readonly state: CheckState
  readonly message: string
  readonly advice?: string
  readonly command?: string
}

const unknown = (message: string, advice?: string): Reason => ({
  ...{ state: 'unknown', message },
  ...(advice && { advice }),
})

export const reasons = {
  freeswitch: { state: 'done', message: 'FreeSWITCH {version} carries the calls.' },
  sandbox: {
    state: 'todo',
    message: 'Calls run on the sandbox: its lines are simulated, and no real call is made.',
    advice: 'Install FreeSWITCH, or name its program in JACKFIELD_FREESWITCH_BIN, and run npm run up.',
    command: 'npm run up',
  },
  no_journal: {
    state: 'todo',
    message:
      'FreeSWITCH {version} keeps no journal: what ends while the server is down is charged only to when it was last heard of.',
    advice: 'Install its module mod_cdr_csv (Debian: freeswitch-mod-cdr-csv) and run npm run up.',
    command: 'npm run up',
  },
  switch_down: {
    state: 'failing',
    message: 'The switch does not answer: no calls can be made.',
    advice: 'npm run status shows which part is down; var/log/switch.log shows why.',
    command: 'npm run status',
  },

  public_address: { state: 'done', message: '{address} can be reached from the Internet.' },
  private_address: {
    state: 'optional',
    message: '{address} can be reached only in your own network.',
    advice: 'For carriers and phones outside of it set {setting} to an address that they can reach.',
    command: '{setting}={address} npm run up',
  },
  loopback_address: {
    state: 'todo',
    message: '{address} can be reached only on this machine: no carrier and no phone of another one can.',
    advice: 'Set {setting} to the address of this machine that they can reach.',
    command: '{setting}=<address> npm run up',
  },
  unknown_address: unknown(
    'The address is not set.',
    'Set {setting} to the address that carriers and phones reach this machine at.',
  ),

  certificate: { state: 'done', message: 'The certificate of {name} holds until {until}.' },
  self_signed: {
    state: 'todo',
    message: 'The certificate of SIP over TLS and WebSocket is signed by itself: most phones refuse it.',
    advice:
      'Fetch one by ACME, or name the files of one: JACKFIELD_TLS_ACME, JACKFIELD_TLS_CERTIFICATE_FILE.',
    command: 'sudo npm run setup -- --acme true',
  },
  certificate_expired: {
    state: 'failing',
    message: 'The certificate of {name} has ended on {until}.',
    advice:
      'Put a new one into its files: it is taken up within a minute. With ACME see var/log/certificates.log. A proxy before the API has one of its own.',
  },
  certificate_expires: {
    state: 'failing',
    message: 'The certificate of {name} ends on {until}.',
    advice:
      'Put a new one into its files before: it is taken up within a minute. With ACME see var/log/certificates.log. A proxy before the API has one of its own.',
  },
  certificate_untrusted: {
    state: 'failing',
    message: 'The certificate of {name} is not trusted: {error}.',
    advice: 'Use one of a known authority, with all certificates between, that is made for this name.',
  },
  certificate_unseen: unknown(
    '{name} cannot be reached from this machine, so its certificate was not looked at.',
  ),

  web_name: { state: 'done', message: 'Workspaces are at {url}, and their names are found.' },
  only_this_machine: {
    state: 'todo',
    message: 'Workspaces are at {url}, which leads nowhere on other machines.',
    advice:
      'Take a domain whose wildcard record leads to this machine, and set JACKFIELD_BASE_DOMAIN and JACKFIELD_HTTP_PUBLIC_URL.',
    command: 'JACKFIELD_BASE_DOMAIN=<domain> npm run up',
  },
  unresolved: {
    state: 'failing',
    message: 'Workspaces are at {url}, but {name} is not found by its name: {error}.',
    advice: 'Make a wildcard record of the domain that leads to this machine.',
  },
  no_https: {
    state: 'todo',
    message: 'Pages come over plain HTTP: away from this machine browsers give them no microphone.',
    advice:
      'Set JACKFIELD_HTTP_TLS_PORT and have a certificate, or put a proxy with one before the API and set JACKFIELD_HTTP_PUBLIC_URL.',
    command: 'sudo npm run setup -- --acme true --tls-port 443',
  },

  space: { state: 'done', message: '{free} GB are free for recordings and audio.' },
  little_space: {
    state: 'failing',
    message: '{free} GB are left for recordings and audio at {path}.',
    advice: 'Make room, keep recordings for less long, or keep them in S3.',
  },
  disk_unseen: unknown('The disk could not be looked at.'),

  workspaces: { state: 'done', message: 'Workspaces: {count}.' },
  no_workspace: {
    state: 'todo',
    message: 'There is no workspace: numbers, people and calls each belong to one.',
    advice: 'Make one for each customer, or one for yourself.',
    command: 'npx jackfield workspace create acme --title "Acme" --country US',
  },
  credit: { state: 'done', message: 'Workspaces with credit: {count}.' },
  no_credit: {
    state: 'todo',
    message: 'No workspace has credit: calls and messages are refused.',
    advice: 'Add what the customer has paid, in USD.',
    command: 'npx jackfield credit add --workspace acme --amount 25',
  },
  trunk: { state: 'done', message: 'SIP trunks in workspaces: {count}.' },
  gateways_refused: {
    state: 'failing',
    message:
      'Gateways lead to private addresses, and their calls fail: {count}, such as {gateway} to {host}.',
    advice: 'Name the networks in which carriers may be in JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS.',
  },
  gateways_pending: {
    state: 'todo',
    message: 'Gateways wait for your approval: {count}, such as {gateway} of {workspace} to {host}.',
    advice:
      'They lead to a private network, a port below 1024 or a carrier of another workspace. Approve those that may.',
    command: 'npx jackfield trunk gateway set {gateway} --workspace {workspace} --approved',
  },
  no_trunk: {
    state: 'todo',
    message: 'No workspace has a SIP trunk: calls come from nowhere and lead nowhere.',
    advice: 'Make a gateway for outbound calls and an ACL for inbound ones.',
    command:
      'npx jackfield trunk gateway create --workspace acme --title Carrier --caller-id +12025550199 --uri sip.carrier.example',
  },
  numbers: { state: 'done', message: 'Active phone numbers: {count}.' },
  no_number: {
    state: 'todo',
    message: 'No workspace has an active phone number.',
    advice: 'Connect a number to an ACL; it becomes active with its first call, or by your hand.',
    command:
      'npx jackfield number connect --workspace acme --number 2025550199 --country US --title Main --acl <acl_…>',
  },
  numbers_pending: {
    state: 'todo',
    message: 'Phone numbers that wait for their first call or for you: {count}; none is active.',
    advice: 'Activate those that are the customer’s.',
    command: 'npx jackfield number activate --workspace acme <pn_…>',
  },

  signing: { state: 'done', message: 'Calls can be signed, with a certificate that holds until {until}.' },
  signing_expires: {
    state: 'failing',
    message: 'The certificate that calls are signed with ends on {until}; they then go out unsigned.',
    advice:
      'Get a new one, put it at its address, then into JACKFIELD_STIR_CERTIFICATE_FILE: it is reloaded automatically.',
  },
  signing_expired: {
    state: 'failing',
    message: 'The certificate that calls are signed with has ended on {until}: they go out unsigned.',
    advice:
      'Get a new one, put it at its address, then into JACKFIELD_STIR_CERTIFICATE_FILE: it is reloaded automatically.',
  },
  no_signing: {
    state: 'optional',
    message: 'There is no certificate to sign calls with (STIR/SHAKEN).',
    advice: 'Where carriers ask for it, set the JACKFIELD_STIR_… settings.',
  },
  verification: { state: 'done', message: 'Callers over trunks are verified.' },
  no_verification: {
    state: 'optional',
    message: 'Callers over trunks are not verified (STIR/SHAKEN).',
    advice: 'Set JACKFIELD_STIR_CA_FILE to the list of approved authorities.',
  },
  authorities_missing: {
    state: 'failing',
    message:
      'Callers are not verified, but inbound ACLs require it: {count}. ACLs set to refuse block all calls.',
    advice: 'Set JACKFIELD_STIR_CA_FILE again, or have the ACLs take such calls.',
  },

  carriers_up: { state: 'done', message: 'SMS carriers whose link is up: {count}.' },
  no_carrier: {
    state: 'optional',
    message: 'There is no SMS carrier: numbers send and take no messages.',
    advice: 'Connect one by SMPP or HTTP, and assign it to numbers.',
    command:
      'npx jackfield carrier add --title "Blue SMSC" --host smsc.example.com --system-id acme --password-file smsc-password',
  },
  carriers_idle: {
    state: 'optional',
    message: 'No SMS carrier is active: numbers send and take no messages.',
    advice: 'Switch one on.',
    command: 'npx jackfield carrier set <car_…> --active',
  },
  carriers_down: {
    state: 'failing',
    message: 'The link to {title} is down: {error}.',
    advice: 'Look at its host, user and password.',
    command: 'npx jackfield carrier list --filter state=down --columns id,title,last_error',
  },
  ai_providers: { state: 'done', message: 'Active AI providers: {count}.' },
  no_ai_provider: {
    state: 'optional',
    message: 'There is no active AI provider: voice agents have no models.',
    advice: 'Connect OpenAI, or a server of your own.',
    command: 'npx jackfield ai-provider create --name openai --key-file openai-key --model gpt-realtime',
  },
  push: { state: 'done', message: 'Push credentials in workspaces: {count}.' },
  no_push: {
    state: 'optional',
    message: 'No workspace has push credentials: calls do not wake mobile apps.',
    advice: 'Each workspace with an app of its own gives the keys of Apple and Google.',
    command: 'npx jackfield push-credential create --help',
  },
  mail: { state: 'done', message: 'The mail server {host} takes our mail.' },
  no_mail: {
    state: 'optional',
    message: 'No mail server is set: agents cannot ask for a new password.',
    advice: 'Set JACKFIELD_MAIL_HOST and JACKFIELD_MAIL_FROM.',
    command: 'JACKFIELD_MAIL_HOST=<host> … npm run up',
  },
  mail_refused: {
    state: 'failing',
    message: 'The mail server {host} does not take our mail: {error}.',
    advice: 'Look at the settings JACKFIELD_MAIL_….',
  },

  database_down: {
    state: 'unknown',
    message: 'The database does not answer.',
    advice: 'npm run status shows which part is down.',
    command: 'npm run status',
  },
} as const satisfies Record<string, Reason>

export type ReasonName = keyof typeof reasons
