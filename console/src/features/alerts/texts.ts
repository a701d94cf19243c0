import { defineTexts } from '../../i18n/texts'

export const alertsTexts = defineTexts('alerts', {
  en: {
    allKinds: 'All',
    calls_burst: 'Far more calls to a country than usual',
    calls_new_country: 'First call to a country',
    calls_refused_concurrent: 'Calls refused: too many at once',
    calls_refused_country: 'Calls refused: country or prefix',
    calls_refused_rate: 'Calls refused: too many in a second',
    calls_refused_spend: 'Calls refused: spend limit reached',
    calls_short: 'Many short calls',
    country: 'Country',
    description:
      'Emergency calls, possible toll fraud, and spend limits. Each alert is raised once an hour or a day, and kept for 90 days.',
    emergency_call: 'Emergency call',
    emergency_call_failed: 'Emergency call without an answer',
    emptyHint:
      'Emergency calls, calls to new countries, bursts, refused calls and nearly reached spend limits are listed here.',
    emptyTitle: 'Nothing to be alarmed about',
    gateway_pending: 'A gateway waits for approval',
    gateway_unreachable: 'A gateway does not answer',
    happened_calls_burst: '{{calls}} calls to {{country}} within an hour, where {{usual}} were usual',
    happened_calls_new_country: 'The first call to {{country}}',
    happened_calls_refused_concurrent: '{{calls}} calls were refused within an hour: too many at once',
    happened_calls_refused_country:
      '{{calls}} calls were refused within an hour: to countries or prefixes that may not be called',
    happened_calls_refused_rate: '{{calls}} calls were refused within an hour: too many in a second',
    happened_calls_refused_spend: '{{calls}} calls were refused within an hour: spend limit reached',
    happened_calls_short:
      '{{calls}} calls within an hour ended {{seconds}} seconds after their answer, or sooner',
    happened_emergency_call: '{{phone}} called {{number}}',
    happened_emergency_call_failed: '{{phone}} called {{number}}, and no carrier took the call',
    happened_gateway_pending: 'It takes calls once the operator has approved its addresses',
    happened_gateway_unreachable: 'None of its addresses answers OPTIONS',
    happened_spend_per_day_100: '{{spent}} of {{max}} are spent, including what live calls reserve',
    happened_spend_per_day_80: '{{spent}} of {{max}} are spent, including what live calls reserve',
    happened_spend_per_hour_100: '{{spent}} of {{max}} are spent, including what live calls reserve',
    happened_spend_per_hour_80: '{{spent}} of {{max}} are spent, including what live calls reserve',
    kind: 'Alert',
    message: 'What happened',
    spend_per_day_80: 'Four fifths of a day’s limit are spent',
    spend_per_day_100: 'A day’s limit is spent',
    spend_per_hour_80: 'Four fifths of an hour’s limit are spent',
    spend_per_hour_100: 'An hour’s limit is spent',
    when: 'When',
    workspace: 'Workspace',
  },
  de: {
    allKinds: 'Alle',
    calls_burst: 'Weit mehr Anrufe in ein Land als üblich',
    calls_new_country: 'Erster Anruf in ein Land',
    calls_refused_concurrent: 'Anrufe abgewiesen: zu viele zugleich',
    calls_refused_country: 'Anrufe abgewiesen: Land oder Vorwahl',
    calls_refused_rate: 'Anrufe abgewiesen: zu viele je Sekunde',
    calls_refused_spend: 'Anrufe abgewiesen: Ausgabengrenze erreicht',
    calls_short: 'Viele kurze Anrufe',
    country: 'Land',
    description:
      'Notrufe, möglicher Gebührenbetrug und Ausgabengrenzen. Jeder Alarm wird einmal je Stunde oder Tag ausgelöst und 90 Tage aufbewahrt.',
    emergency_call: 'Notruf',
    emergency_call_failed: 'Notruf, der niemanden erreichte',
    emptyHint:
      'Notrufe, Anrufe in neue Länder, Häufungen, abgewiesene Anrufe und fast erreichte Ausgabengrenzen stehen hier.',
    emptyTitle: 'Kein Grund zur Sorge',
    gateway_pending: 'Ein Gateway wartet auf Zustimmung',
    gateway_unreachable: 'Ein Gateway antwortet nicht',
    happened_calls_burst: '{{calls}} Anrufe nach {{country}} in einer Stunde; üblich waren {{usual}}',
    happened_calls_new_country: 'Der erste Anruf nach {{country}}',
    happened_calls_refused_concurrent:
      '{{calls}} Anrufe wurden in einer Stunde abgewiesen: zu viele zugleich',
    happened_calls_refused_country:
      '{{calls}} Anrufe wurden in einer Stunde abgewiesen: in Länder oder zu Vorwahlen, die nicht erlaubt sind',
    happened_calls_refused_rate: '{{calls}} Anrufe wurden in einer Stunde abgewiesen: zu viele je Sekunde',
    happened_calls_refused_spend:
      '{{calls}} Anrufe wurden in einer Stunde abgewiesen: Ausgabengrenze erreicht',
    happened_calls_short:
      '{{calls}} Anrufe endeten in einer Stunde höchstens {{seconds}} Sekunden nach ihrer Annahme',
    happened_emergency_call: '{{phone}} rief {{number}} an',
    happened_emergency_call_failed: '{{phone}} rief {{number}} an, und kein Carrier nahm den Anruf an',
    happened_gateway_pending: 'Anrufe gehen darüber, sobald der Betreiber den Adressen zustimmt',
    happened_gateway_unreachable: 'Keine seiner Adressen antwortet auf OPTIONS',
    happened_spend_per_day_100:
      '{{spent}} von {{max}} sind ausgegeben, einschließlich der Reservierungen laufender Anrufe',
    happened_spend_per_day_80:
      '{{spent}} von {{max}} sind ausgegeben, einschließlich der Reservierungen laufender Anrufe',
    happened_spend_per_hour_100:
      '{{spent}} von {{max}} sind ausgegeben, einschließlich der Reservierungen laufender Anrufe',
    happened_spend_per_hour_80:
      '{{spent}} von {{max}} sind ausgegeben, einschließlich der Reservierungen laufender Anrufe',
    kind: 'Meldung',
    message: 'Was geschah',
    spend_per_day_80: 'Vier Fünftel der Tagesgrenze sind ausgegeben',
    spend_per_day_100: 'Die Tagesgrenze ist ausgegeben',
    spend_per_hour_80: 'Vier Fünftel der Stundengrenze sind ausgegeben',
    spend_per_hour_100: 'Die Stundengrenze ist ausgegeben',
    when: 'Wann',
    workspace: 'Arbeitsbereich',
  },
})
