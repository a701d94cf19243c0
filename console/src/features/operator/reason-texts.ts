/** Texts for the checklist's reasons; the API names the reason and its values. */
import { type TextKey, defineTexts } from '../../i18n/texts'

export const reasonTexts = defineTexts('operator-reasons', {
  en: {
    freeswitch: 'FreeSWITCH {{version}} carries the calls.',
    sandbox: 'Calls run on the sandbox: its lines are simulated, and no real call is made.',
    sandbox_advice:
      'Install FreeSWITCH, or name its program in JACKFIELD_FREESWITCH_BIN, and run npm run up.',
    no_journal:
      'FreeSWITCH {{version}} keeps no journal: what ends while the server is down is charged only up to its last heartbeat.',
    no_journal_advice: 'Install its module mod_cdr_csv (Debian: freeswitch-mod-cdr-csv) and run npm run up.',
    switch_down: 'The switch does not answer: no calls can be made.',
    switch_down_advice: 'npm run status shows which part is down; var/log/switch.log shows why.',
    public_address: '{{address}} can be reached from the Internet.',
    private_address: '{{address}} can be reached only in your own network.',
    private_address_advice:
      'For carriers and phones outside of it set {{setting}} to an address that they can reach.',
    loopback_address:
      '{{address}} can be reached only on this machine: no carrier and no phone of another one can.',
    loopback_address_advice: 'Set {{setting}} to the address of this machine that they can reach.',
    unknown_address: 'The address is not set.',
    unknown_address_advice: 'Look at {{setting}}.',
    certificate: 'The certificate of {{name}} holds until {{until}}.',
    self_signed: 'The certificate of SIP over TLS and WebSocket is signed by itself: most phones refuse it.',
    self_signed_advice:
      'Fetch one by ACME, or name the files of one: JACKFIELD_TLS_ACME, JACKFIELD_TLS_CERTIFICATE_FILE.',
    certificate_expired: 'The certificate of {{name}} has ended on {{until}}.',
    certificate_expired_advice:
      'Put a new one into its files: it takes effect within a minute. With ACME see var/log/certificates.log. A proxy before the API has one of its own.',
    certificate_expires: 'The certificate of {{name}} ends on {{until}}.',
    certificate_expires_advice:
      'Put a new one into its files before: it takes effect within a minute. With ACME see var/log/certificates.log. A proxy before the API has one of its own.',
    certificate_untrusted: 'The certificate of {{name}} is not trusted: {{error}}.',
    certificate_untrusted_advice:
      'Use one from a public CA for this name, with all intermediate certificates.',
    certificate_unseen: '{{name}} cannot be reached from this machine, so its certificate was not checked.',
    web_name: 'Workspaces are at {{url}}, and their names resolve.',
    only_this_machine: 'Workspaces are at {{url}}, which leads nowhere on other machines.',
    only_this_machine_advice:
      'Take a domain whose wildcard record leads to this machine, and set JACKFIELD_BASE_DOMAIN and JACKFIELD_HTTP_PUBLIC_URL.',
    unresolved: 'Workspaces are at {{url}}, but {{name}} does not resolve: {{error}}.',
    unresolved_advice: 'Make a wildcard record of the domain that leads to this machine.',
    no_https: 'Pages come over plain HTTP: away from this machine browsers give them no microphone.',
    no_https_advice:
      'Set JACKFIELD_HTTP_TLS_PORT and have a certificate, or put a proxy with one before the API and set JACKFIELD_HTTP_PUBLIC_URL.',
    space: '{{free}} GB are free for recordings and audio.',
    little_space: '{{free}} GB are left for recordings and audio at {{path}}.',
    little_space_advice: 'Make room, keep recordings for less long, or keep them in S3.',
    disk_unseen: 'The disk could not be checked.',
    workspaces: 'There are workspaces: {{count}}.',
    no_workspace: 'There is no workspace: numbers, people and calls each belong to one.',
    no_workspace_advice: 'Make one for each customer, or one for yourself.',
    credit: 'Workspaces with credit: {{count}}.',
    no_credit: 'No workspace has credit: calls and messages are refused.',
    no_credit_advice: 'Add what the customer has paid, in USD.',
    trunk: 'SIP trunks in workspaces: {{count}}.',
    gateways_refused:
      'Gateways lead to private addresses, and their calls fail: {{count}}, such as {{gateway}} to {{host}}.',
    gateways_refused_advice:
      'Name the networks in which carriers may be in JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS.',
    gateways_pending:
      'Gateways wait for your approval: {{count}}, such as {{gateway}} of {{workspace}} to {{host}}.',
    gateways_pending_advice:
      'They lead to a private network, a port below 1024 or a carrier of another workspace. Approve those that may.',
    no_trunk: 'No workspace has a SIP trunk: there are no inbound or outbound calls.',
    no_trunk_advice: 'Make a gateway for outbound calls and an ACL for inbound ones.',
    numbers: 'Active phone numbers: {{count}}.',
    no_number: 'No workspace has an active phone number.',
    no_number_advice:
      'Connect a number to an ACL; it becomes active with its first call, or when you activate it.',
    numbers_pending: 'Phone numbers that wait for their first call or for you: {{count}}; none is active.',
    numbers_pending_advice: 'Activate those that are the customer’s.',
    signing: 'Calls can be signed, with a certificate that holds until {{until}}.',
    signing_expires:
      'The certificate that calls are signed with ends on {{until}}; they then go out unsigned.',
    signing_expires_advice:
      'Get a new one, put it at its address, then into JACKFIELD_STIR_CERTIFICATE_FILE: it is reloaded automatically.',
    signing_expired:
      'The certificate that calls are signed with has ended on {{until}}: they go out unsigned.',
    signing_expired_advice:
      'Get a new one, put it at its address, then into JACKFIELD_STIR_CERTIFICATE_FILE: it is reloaded automatically.',
    no_signing: 'There is no certificate to sign calls with (STIR/SHAKEN).',
    no_signing_advice: 'Where carriers ask for it, set the JACKFIELD_STIR_… settings.',
    verification: 'Callers over trunks are verified.',
    no_verification: 'Callers over trunks are not verified (STIR/SHAKEN).',
    no_verification_advice: 'Set JACKFIELD_STIR_CA_FILE to the list of approved authorities.',
    authorities_missing:
      'Callers are not verified, but inbound ACLs require it: {{count}}. ACLs set to refuse block all calls.',
    authorities_missing_advice: 'Set JACKFIELD_STIR_CA_FILE again, or have the ACLs take such calls.',
    carriers_up: 'SMS carriers whose link is up: {{count}}.',
    no_carrier: 'There is no SMS carrier: numbers send and take no messages.',
    no_carrier_advice: 'Connect one by SMPP or HTTP, and assign it to numbers.',
    carriers_idle: 'No SMS carrier is active: numbers send and take no messages.',
    carriers_idle_advice: 'Switch one on.',
    carriers_down: 'The link to {{title}} is down: {{error}}.',
    carriers_down_advice: 'Look at its host, user and password.',
    ai_providers: 'Active AI providers: {{count}}.',
    no_ai_provider: 'There is no active AI provider: voice agents have no models.',
    no_ai_provider_advice: 'Connect OpenAI, or a server of your own.',
    push: 'Push credentials in workspaces: {{count}}.',
    no_push: 'No workspace has push credentials: calls do not wake mobile apps.',
    no_push_advice: 'Each workspace with an app of its own gives the keys of Apple and Google.',
    mail: 'The mail server {{host}} takes our mail.',
    no_mail: 'No mail server is set: agents cannot ask for a new password.',
    no_mail_advice: 'Set JACKFIELD_MAIL_HOST and JACKFIELD_MAIL_FROM.',
    mail_refused: 'The mail server {{host}} does not take our mail: {{error}}.',
    mail_refused_advice: 'Look at the settings JACKFIELD_MAIL_….',
    database_down: 'The database does not answer.',
    database_down_advice: 'npm run status shows which part is down.',
  },
  de: {
    freeswitch: 'FreeSWITCH {{version}} führt die Anrufe.',
    sandbox: 'Anrufe laufen auf der Sandbox: Ihre Leitungen sind nachgebildet, echte Anrufe gibt es nicht.',
    sandbox_advice:
      'Installieren Sie FreeSWITCH, oder nennen Sie sein Programm in JACKFIELD_FREESWITCH_BIN, und rufen Sie npm run up auf.',
    no_journal:
      'FreeSWITCH {{version}} führt kein Journal: Was endet, während der Server ausgefallen ist, wird nur bis zum letzten Heartbeat berechnet.',
    no_journal_advice:
      'Installieren Sie sein Modul mod_cdr_csv (Debian: freeswitch-mod-cdr-csv), und rufen Sie npm run up auf.',
    switch_down: 'Die Vermittlung antwortet nicht: Es kann nicht telefoniert werden.',
    switch_down_advice: 'npm run status sagt, welcher Teil ausgefallen ist; var/log/switch.log sagt, warum.',
    public_address: '{{address}} ist aus dem Internet zu erreichen.',
    private_address: '{{address}} ist nur in Ihrem eigenen Netz zu erreichen.',
    private_address_advice:
      'Setzen Sie für Carrier und Telefone außerhalb {{setting}} auf eine Adresse, die sie erreichen.',
    loopback_address:
      '{{address}} ist nur auf diesem Rechner zu erreichen: kein Carrier und kein Telefon eines anderen kann es.',
    loopback_address_advice: 'Setzen Sie {{setting}} auf die Adresse dieses Rechners, die sie erreichen.',
    unknown_address: 'Die Adresse ist nicht eingestellt.',
    unknown_address_advice: 'Sehen Sie nach {{setting}}.',
    certificate: 'Das Zertifikat von {{name}} gilt bis {{until}}.',
    self_signed:
      'Das Zertifikat für SIP über TLS und WebSocket ist selbst signiert: Die meisten Telefone weisen es ab.',
    self_signed_advice:
      'Holen Sie eines per ACME, oder nennen Sie die Dateien eines vorhandenen: JACKFIELD_TLS_ACME, JACKFIELD_TLS_CERTIFICATE_FILE.',
    certificate_expired: 'Das Zertifikat von {{name}} ist am {{until}} abgelaufen.',
    certificate_expired_advice:
      'Legen Sie ein neues in seine Dateien: Es gilt binnen einer Minute. Bei ACME steht der Grund in var/log/certificates.log. Ein Proxy vor der API hat ein eigenes.',
    certificate_expires: 'Das Zertifikat von {{name}} läuft am {{until}} ab.',
    certificate_expires_advice:
      'Legen Sie vorher ein neues in seine Dateien: Es gilt binnen einer Minute. Bei ACME steht der Grund in var/log/certificates.log. Ein Proxy vor der API hat ein eigenes.',
    certificate_untrusted: 'Dem Zertifikat von {{name}} wird nicht vertraut: {{error}}.',
    certificate_untrusted_advice:
      'Nehmen Sie eines einer öffentlichen Zertifizierungsstelle für diesen Namen, mit allen Zwischenzertifikaten.',
    certificate_unseen:
      '{{name}} ist von diesem Rechner nicht zu erreichen; das Zertifikat wurde darum nicht geprüft.',
    web_name: 'Arbeitsbereiche sind unter {{url}}, und ihre Namen werden gefunden.',
    only_this_machine: 'Arbeitsbereiche sind unter {{url}}; das führt auf anderen Rechnern nirgendwohin.',
    only_this_machine_advice:
      'Nehmen Sie eine Domain, deren Wildcard-Eintrag zu diesem Rechner führt, und setzen Sie JACKFIELD_BASE_DOMAIN und JACKFIELD_HTTP_PUBLIC_URL.',
    unresolved: 'Arbeitsbereiche sind unter {{url}}, aber {{name}} wird nicht gefunden: {{error}}.',
    unresolved_advice: 'Legen Sie einen Wildcard-Eintrag der Domain an, der zu diesem Rechner führt.',
    no_https:
      'Seiten kommen über einfaches HTTP: Außerhalb dieses Rechners geben ihnen Browser kein Mikrofon.',
    no_https_advice:
      'Setzen Sie JACKFIELD_HTTP_TLS_PORT und haben Sie ein Zertifikat, oder stellen Sie einen Proxy mit einem vor die API und setzen Sie JACKFIELD_HTTP_PUBLIC_URL.',
    space: '{{free}} GB sind frei für Aufnahmen und Ton.',
    little_space: 'Nur noch {{free}} GB sind frei für Aufnahmen und Ton in {{path}}.',
    little_space_advice:
      'Schaffen Sie Platz, behalten Sie Aufnahmen weniger lang, oder legen Sie sie in S3 ab.',
    disk_unseen: 'Die Festplatte konnte nicht geprüft werden.',
    workspaces: 'Es gibt Arbeitsbereiche: {{count}}.',
    no_workspace: 'Es gibt keinen Arbeitsbereich: Nummern, Leute und Anrufe gehören je zu einem.',
    no_workspace_advice: 'Legen Sie einen für jeden Kunden an, oder einen für sich selbst.',
    credit: 'Arbeitsbereiche mit Guthaben: {{count}}.',
    no_credit: 'Kein Arbeitsbereich hat Guthaben: Anrufe und Nachrichten werden abgewiesen.',
    no_credit_advice: 'Laden Sie auf, was der Kunde bezahlt hat, in USD.',
    trunk: 'SIP-Trunks in Arbeitsbereichen: {{count}}.',
    gateways_refused:
      'Gateways führen zu privaten Adressen, und ihre Anrufe schlagen fehl: {{count}}, etwa {{gateway}} zu {{host}}.',
    gateways_refused_advice:
      'Nennen Sie die Netze, in denen Carrier sein dürfen, in JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS.',
    gateways_pending:
      'Gateways warten auf Ihre Zustimmung: {{count}}, etwa {{gateway}} von {{workspace}} zu {{host}}.',
    gateways_pending_advice:
      'Sie führen in ein privates Netz, zu einem Port unter 1024 oder zum Netzbetreiber eines anderen Arbeitsbereichs. Stimmen Sie denen zu, die das dürfen.',
    no_trunk: 'Kein Arbeitsbereich hat einen SIP-Trunk: Es gibt keine ein- und ausgehenden Anrufe.',
    no_trunk_advice: 'Legen Sie ein Gateway für ausgehende und eine Zugangsliste für eingehende Anrufe an.',
    numbers: 'Aktive Rufnummern: {{count}}.',
    no_number: 'Kein Arbeitsbereich hat eine aktive Rufnummer.',
    no_number_advice:
      'Schließen Sie eine Nummer an eine Zugangsliste an; sie wird mit ihrem ersten Anruf aktiv, oder wenn Sie sie freischalten.',
    numbers_pending:
      'Rufnummern, die auf ihren ersten Anruf oder auf Sie warten: {{count}}; keine ist aktiv.',
    numbers_pending_advice: 'Schalten Sie die frei, die dem Kunden gehören.',
    signing: 'Anrufe können signiert werden, mit einem Zertifikat, das bis {{until}} gilt.',
    signing_expires:
      'Das Zertifikat für die Signatur von Anrufen endet am {{until}}; dann gehen sie unsigniert hinaus.',
    signing_expires_advice:
      'Besorgen Sie ein neues, legen Sie es an seine Adresse, dann in JACKFIELD_STIR_CERTIFICATE_FILE: Es wird neu gelesen.',
    signing_expired:
      'Das Zertifikat für die Signatur von Anrufen endete am {{until}}: Sie gehen unsigniert hinaus.',
    signing_expired_advice:
      'Besorgen Sie ein neues, legen Sie es an seine Adresse, dann in JACKFIELD_STIR_CERTIFICATE_FILE: Es wird neu gelesen.',
    no_signing: 'Es gibt kein Zertifikat, mit dem Anrufe signiert würden (STIR/SHAKEN).',
    no_signing_advice: 'Wo Carrier das verlangen, setzen Sie die Einstellungen JACKFIELD_STIR_….',
    verification: 'Anrufer über Trunks werden geprüft.',
    no_verification: 'Anrufer über Trunks werden nicht geprüft (STIR/SHAKEN).',
    no_verification_advice: 'Setzen Sie JACKFIELD_STIR_CA_FILE auf die Liste der anerkannten Stellen.',
    authorities_missing:
      'Anrufer werden nicht geprüft, doch Zugangslisten von Trunks verlangen es: {{count}}. Listen, die abweisen, weisen alle Anrufe ab.',
    authorities_missing_advice:
      'Setzen Sie JACKFIELD_STIR_CA_FILE wieder, oder lassen Sie die Listen solche Anrufe annehmen.',
    carriers_up: 'SMS-Carrier, deren Verbindung steht: {{count}}.',
    no_carrier: 'Es gibt keinen SMS-Carrier: Nummern senden und empfangen keine Nachrichten.',
    no_carrier_advice: 'Schließen Sie einen über SMPP oder HTTP an, und geben Sie ihn Nummern.',
    carriers_idle: 'Kein SMS-Carrier ist aktiv: Nummern senden und empfangen keine Nachrichten.',
    carriers_idle_advice: 'Schalten Sie einen ein.',
    carriers_down: 'Die Verbindung zu {{title}} ist ausgefallen: {{error}}.',
    carriers_down_advice: 'Prüfen Sie Host, Benutzer und Passwort.',
    ai_providers: 'Aktive KI-Anbieter: {{count}}.',
    no_ai_provider: 'Kein KI-Anbieter ist aktiv: Sprachassistenten haben keine Modelle.',
    no_ai_provider_advice: 'Schließen Sie OpenAI an, oder einen eigenen Server.',
    push: 'Push-Zugänge in Arbeitsbereichen: {{count}}.',
    no_push: 'Kein Arbeitsbereich hat einen Push-Zugang: Anrufe wecken keine mobilen Apps.',
    no_push_advice: 'Jeder Arbeitsbereich mit eigener App hinterlegt die Schlüssel von Apple und Google.',
    mail: 'Der Mailserver {{host}} nimmt unsere Post an.',
    no_mail: 'Kein Mailserver ist eingestellt: Agenten können kein neues Passwort anfordern.',
    no_mail_advice: 'Setzen Sie JACKFIELD_MAIL_HOST und JACKFIELD_MAIL_FROM.',
    mail_refused: 'Der Mailserver {{host}} nimmt unsere Post nicht an: {{error}}.',
    mail_refused_advice: 'Prüfen Sie die Einstellungen JACKFIELD_MAIL_….',
    database_down: 'Die Datenbank antwortet nicht.',
    database_down_advice: 'npm run status sagt, welcher Teil ausgefallen ist.',
  },
})

export type ReasonKey = TextKey<(typeof reasonTexts)['en']>

/** Whether a reason has a text: a newer server may know more. */
export function isReasonKey(key: string): key is ReasonKey {
  return key in reasonTexts.en
}
