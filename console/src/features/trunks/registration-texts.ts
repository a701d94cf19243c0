import { defineTexts } from '../../i18n/texts'

/** Texts of a gateway's registration. */
export const registrationTexts = defineTexts('trunk-registration', {
  en: {
    domain: 'Domain of the account',
    domainHint: 'Left empty: the domain in the request, or the first address.',
    expires: 'Seconds between registrations',
    expiresHint: 'What is asked for, 60 to 86400. The carrier may grant fewer.',
    refused: 'Registration refused',
    register: 'Register at the carrier',
    registerHint:
      'For carriers that send calls to the registered address. The access list need not name them.',
    registered: 'Registered',
    registering: 'Registering',
    since: 'since',
    unreachable: 'Registrar not reached',
    until: 'until',
    user: 'User of the account',
    userHint: 'Left empty: the user in From, or the username.',
    waiting: 'Not registering yet',
  },
  de: {
    domain: 'Domain des Kontos',
    domainHint: 'Leer: die Domain der Anfrage oder die erste Adresse.',
    expires: 'Sekunden zwischen Registrierungen',
    expiresHint: 'Was verlangt wird, 60 bis 86400. Der Netzbetreiber darf weniger gewähren.',
    refused: 'Registrierung abgelehnt',
    register: 'Beim Netzbetreiber registrieren',
    registerHint:
      'Für Netzbetreiber, die Anrufe dorthin schicken, wo man sich registriert hat. Die Zugangsliste muss sie nicht nennen.',
    registered: 'Registriert',
    registering: 'Registriert sich',
    since: 'seit',
    unreachable: 'Registrar nicht erreicht',
    until: 'bis',
    user: 'Benutzer des Kontos',
    userHint: 'Leer: der Benutzer in From oder der Benutzername.',
    waiting: 'Registriert sich noch nicht',
  },
})
