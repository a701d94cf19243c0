/** Templates of flows: what they ask for, and the steps that they make of the answers. */
import de from '../spoken/de.json'
import en from '../spoken/en.json'
import type { TemplateName } from '../beginnings'
import type { Step } from './steps'

export type AskedFor =
  'team' | 'second_team' | 'agent' | 'voice_agent' | 'phone_number' | 'hours' | 'language'

export const spokenLanguages = ['en', 'de'] as const
export type SpokenLanguage = (typeof spokenLanguages)[number]

export interface TemplateAnswers {
  team: string
  second_team: string
  /** Names of the teams, for what is said. */
  team_name: string
  second_team_name: string
  agent: string
  voice_agent: string
  phone_number: string
  /** Parameters of a step `business_hours`. */
  hours: Step['params']
  language: SpokenLanguage
}

export interface FlowTemplate {
  asks: readonly AskedFor[]
  stepsOf: (answers: TemplateAnswers) => Step[]
}

type Said = keyof typeof en

const texts: Readonly<Record<SpokenLanguage, typeof en>> = { en, de }

/** A step by its id, whose outcomes lead to other steps. */
function step(id: string, type: string, next: Step['next'] = {}, params: Step['params'] = {}): Step {
  return { id, type, params, next }
}

const start = (first: string) => step('start', 'start', { default: first })

function say(
  id: string,
  { language }: Pick<TemplateAnswers, 'language'>,
  said: Said,
  next: Step['next'],
): Step {
  return step(id, 'tts', next, { text: texts[language][said], voice: language })
}

/** What is said, and then recorded. */
function voicemail(answers: TemplateAnswers, said: Said): Step[] {
  return [say('sorry', answers, said, { default: 'voicemail' }), step('voicemail', 'voicemail')]
}

const ring = (id: string, team: string, next: Step['next']) =>
  step(id, 'connect_team', next, { team_id: team, queue: { max_wait: 120 } })

/** What follows where no one was reached; a call that was answered needs no more steps. */
const unanswered = (to: string, ...outcomes: string[]) =>
  Object.fromEntries(outcomes.map((outcome) => [outcome, to]))

const ofTeam = ['no_answer', 'offline', 'queue_full', 'queue_timeout', 'failed'] as const
const ofAgent = ['busy', 'no_answer', 'offline', 'failed'] as const
const ofNumber = ['busy', 'no_answer', 'failed'] as const

const surveyKeys = { 1: 'answer', 2: 'answer', 3: 'answer', 4: 'answer', 5: 'answer', default: 'no_answer' }

export const flowTemplates = {
  team: {
    asks: ['team', 'language'],
    stepsOf: (answers) => [
      start('team'),
      ring('team', answers.team, unanswered('sorry', ...ofTeam)),
      ...voicemail(answers, 'leaveMessage'),
    ],
  },
  menu: {
    asks: ['team', 'second_team', 'language'],
    stepsOf: (answers) => [
      start('menu'),
      step(
        'menu',
        'menu',
        { 1: 'first_team', 2: 'second_team', default: 'connecting' },
        { text: choicesOf(answers), voice: answers.language },
      ),
      say('connecting', answers, 'menuWrongKey', { default: 'first_team' }),
      ring('first_team', answers.team, unanswered('sorry', ...ofTeam)),
      ring('second_team', answers.second_team, unanswered('sorry', ...ofTeam)),
      ...voicemail(answers, 'leaveMessage'),
    ],
  },
  hours: {
    asks: ['hours', 'team', 'language'],
    stepsOf: (answers) => [
      start('hours'),
      step('hours', 'business_hours', { open: 'team', default: 'closed' }, answers.hours),
      ring('team', answers.team, unanswered('sorry', ...ofTeam)),
      say('closed', answers, 'closed', { default: 'voicemail' }),
      ...voicemail(answers, 'leaveMessage'),
    ],
  },
  person: {
    asks: ['agent', 'language'],
    stepsOf: (answers) => [
      start('person'),
      step('person', 'connect_agent', unanswered('sorry', ...ofAgent), { agent_id: answers.agent }),
      ...voicemail(answers, 'leaveMessage'),
    ],
  },
  queue: {
    asks: ['team', 'language'],
    stepsOf: (answers) => [
      start('welcome'),
      say('welcome', answers, 'allBusy', { default: 'queue' }),
      step('queue', 'connect_team', unanswered('sorry', ...ofTeam), {
        team_id: answers.team,
        queue: { max_wait: 300, announce_position: true },
      }),
      ...voicemail(answers, 'waitedTooLong'),
    ],
  },
  night: {
    asks: ['hours', 'team', 'voice_agent', 'language'],
    stepsOf: (answers) => [
      start('hours'),
      step('hours', 'business_hours', { open: 'team', default: 'voice_agent' }, answers.hours),
      ring('team', answers.team, unanswered('voice_agent', ...ofTeam)),
      step('voice_agent', 'connect_voice_agent', unanswered('sorry', 'no_answer', 'failed'), {
        voice_agent_id: answers.voice_agent,
      }),
      ...voicemail(answers, 'leaveMessage'),
    ],
  },
  survey: {
    asks: ['language'],
    stepsOf: (answers) => [
      start('question'),
      step('question', 'menu', surveyKeys, {
        text: texts[answers.language].question,
        voice: answers.language,
      }),
      step('answer', 'set_variable', { default: 'thanks' }, { name: 'answer', value: '{{digits}}' }),
      say('thanks', answers, 'thanks', { default: 'end' }),
      say('no_answer', answers, 'noAnswer', { default: 'end' }),
      step('end', 'hangup'),
    ],
  },
  mobile: {
    asks: ['phone_number', 'language'],
    stepsOf: (answers) => [
      start('welcome'),
      say('welcome', answers, 'forwarding', { default: 'mobile' }),
      step('mobile', 'to_operator', unanswered('sorry', ...ofNumber), {
        phone_number: answers.phone_number,
      }),
      ...voicemail(answers, 'leaveMessage'),
    ],
  },
} as const satisfies Readonly<Record<TemplateName, FlowTemplate>>

function choicesOf({ language, team_name, second_team_name }: TemplateAnswers): string {
  return texts[language].menuChoices.replace('{{first}}', team_name).replace('{{second}}', second_team_name)
}

/** Answers that are asked for and missing. */
export function missingIn(name: TemplateName, answers: TemplateAnswers): AskedFor[] {
  return flowTemplates[name].asks.filter((asked) => answers[asked] === '')
}
