/** In the header of every page: the user's own state, and a menu to change it. */
import { Button, Menu, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  type Icon,
  IconChevronDown,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleMinus,
  IconPhoneFilled,
  IconPhoneRinging,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { useMe } from '../../../api/me'
import { useAction } from '../../../api/use-action'
import { useTexts } from '../../../i18n/texts'
import { useLiveEvents } from '../../../live/live'
import { type AgentState, awayReasonsQuery, ownStateKey, ownStateQuery } from '../queries'
import { useReasonWords } from '../reasons'
import { type ShownState, shownStateOf } from '../shown-state'
import { presenceTexts, stateWords } from '../texts'

const choices = ['available', 'busy', 'offline'] as const
type State = (typeof choices)[number]

interface Choice {
  state: State
  reason: string | null
}

/** A choice as the value of a radio button. */
const valueOf = ({ state, reason }: Choice) => (reason === null ? state : `${state} ${reason}`)

function choiceOf(value: string): Choice {
  const [state = '', ...reason] = value.split(' ')
  return { state: state as State, reason: reason.length > 0 ? reason.join(' ') : null }
}

/** Distinct shapes, not only colours. */
const icons: Readonly<Record<ShownState, { icon: Icon; colour: string }>> = {
  available: { icon: IconCircleCheckFilled, colour: 'green' },
  incall: { icon: IconPhoneFilled, colour: 'blue' },
  busy: { icon: IconCircleMinus, colour: 'red' },
  offline: { icon: IconCircleDashed, colour: 'gray' },
  ringing: { icon: IconPhoneRinging, colour: 'blue' },
}

export default function PresenceMenu() {
  const t = useTexts(presenceTexts)
  const words = useTexts(stateWords)
  const reasonWords = useReasonWords()
  const [isOpen, setOpen] = useState(false)
  const { data: reasons = [] } = useQuery({ ...awayReasonsQuery, enabled: isOpen })
  const me = useMe()
  const client = useQueryClient()
  const own = useQuery(ownStateQuery)
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const choose = useAction<Choice>({
    run: async (body) => dataOf(api.PUT('/me/state', { body })),
    optimistic: {
      key: ownStateKey,
      change: (cached: AgentState, { state, reason }: Choice): AgentState => ({
        ...cached,
        chosen_state: state,
        reason,
        state: cached.state === 'incall' ? 'incall' : state,
      }),
    },
    onDone: (answer) => client.setQueryData(ownStateKey, answer),
  })
  useLiveEvents(['workspace.agent.state'], ({ agent_id, ...event }) => {
    if (agent_id !== me?.id) return
    const { state, is_ringing, since, call_id, reason } = event as unknown as Pick<
      AgentState,
      'state' | 'is_ringing' | 'since' | 'call_id' | 'reason'
    >
    client.setQueryData(
      ownStateKey,
      (known: AgentState | undefined) =>
        known && { ...known, state, is_ringing, since, call_id, ...(call_id === null && { reason }) },
    )
    // A leader has set it: the event does not say who. What calls change needs no question.
    const isChosen = call_id === null && state !== own.data?.chosen_state
    if (isChosen) void client.invalidateQueries({ queryKey: ownStateKey })
  })
  // Opening the stream makes the agent available.
  useLiveEvents(['stream.opened'], () => void client.invalidateQueries({ queryKey: ownStateKey }))
  const state = own.data && shownStateOf(own.data)
  const { icon: Picture, colour } = icons[state ?? 'offline']
  const reason = state === 'busy' || state === 'offline' ? own.data?.reason : null
  const shown = state
    ? [words(state), reason && reasonWords(reason)].filter(Boolean).join(', ')
    : t('unknown')
  const isOthers = own.data?.chosen_by && own.data.chosen_by !== me?.id
  return (
    <Menu
      width={260}
      onChange={setOpen}
      position="bottom-end"
      withArrow
      // In the page’s banner, and with nothing but its items in it, as assistive technology has it.
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button
          variant="default"
          aria-label={t('presence', { state: shown })}
          leftSection={<Picture size={18} aria-hidden color={`var(--mantine-color-${colour}-6)`} />}
          rightSection={isWide ? <IconChevronDown size={16} aria-hidden /> : undefined}
          px={isWide ? undefined : 8}
          styles={isWide ? {} : { section: { margin: 0 } }}
        >
          {isWide ? shown : null}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isOthers && <Menu.Label>{t('chosenByOther')}</Menu.Label>}
        <Menu.RadioGroup
          value={own.data ? valueOf({ state: own.data.chosen_state, reason: own.data.reason }) : null}
          onChange={(value) => choose.mutate(choiceOf(value))}
        >
          {choices.map((choice) => (
            <Menu.RadioItem key={choice} value={choice} closeMenuOnClick>
              {words(choice)}
              <Text size="xs">{t(`${choice}Hint`)}</Text>
            </Menu.RadioItem>
          ))}
          {reasons.length > 0 && <Menu.Label>{t('busyWith')}</Menu.Label>}
          {reasons.map((one) => (
            <Menu.RadioItem key={one} value={valueOf({ state: 'busy', reason: one })} closeMenuOnClick>
              {reasonWords(one)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
