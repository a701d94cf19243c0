/** Toolbar of the flow. */
import { ActionIcon, Button, Group, List, Popover, Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCheck,
  IconCircleDashed,
  IconHistory,
  IconKeyboard,
  IconLayoutDistributeVertical,
  IconLoader,
  IconMaximize,
  IconMinimize,
  IconPlayerPlay,
  IconSettings,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../i18n/texts'
import { editorTexts, stepTexts } from '../texts'
import type { Flow } from '../queries'
import { FlowFileMenu } from './flow-file-menu'
import type { Panel } from '../model/panels'
import { useEditing } from './editing'
import type { Check } from './use-flow-check'

interface EditorBarProps {
  flow: Flow
  panel: Panel
  /** Whether the problems are those of the current steps. */
  answer: Check['answer']
  onPanel: (panel: Panel) => void
  onSettings: () => void
  isFull: boolean
  onFull: () => void
  children: ReactNode
}

export function EditorBar({
  flow,
  panel,
  answer,
  onPanel,
  onSettings,
  isFull,
  onFull,
  children,
}: EditorBarProps) {
  const t = useTexts(editorTexts)
  const ofSteps = useTexts(stepTexts)
  const { state, edit, problems, isStrict } = useEditing()
  const isSound = problems.length === 0
  const isWrong = isStrict ? !isSound : problems.some(({ isOpen }) => !isOpen)
  const checked = isSound
    ? t(({ current: 'sound', awaited: 'soundUnknown', failed: 'notChecked' } as const)[answer])
    : ofSteps(isWrong ? 'problemCount' : 'toDoCount', { count: problems.length })
  const CheckIcon = isSound
    ? { current: IconCheck, awaited: IconLoader, failed: IconAlertTriangle }[answer]
    : isWrong
      ? IconAlertTriangle
      : IconCircleDashed
  return (
    <Group gap="xs" role="toolbar" aria-label={t('tools')}>
      {children}
      <Tool label={t('undo')} disabled={state.past.length === 0} onClick={() => edit({ do: 'undo' })}>
        <IconArrowBackUp size={18} />
      </Tool>
      <Tool label={t('redo')} disabled={state.future.length === 0} onClick={() => edit({ do: 'redo' })}>
        <IconArrowForwardUp size={18} />
      </Tool>
      <Tool
        label={t('tidy')}
        disabled={!state.steps.some(({ position }) => position)}
        onClick={() => edit({ do: 'tidy' })}
      >
        <IconLayoutDistributeVertical size={18} />
      </Tool>
      <Tool label={t('rename')} onClick={onSettings}>
        <IconSettings size={18} />
      </Tool>
      <FlowFileMenu flow={flow} />
      <Tool label={t(isFull ? 'leaveFullScreen' : 'fullScreen')} onClick={onFull}>
        {isFull ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
      </Tool>
      <Popover position="bottom-start" withinPortal trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon variant="default" size={30} aria-label={t('keyboard')}>
            <IconKeyboard size={18} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('keyboard')} maw="min(420px, calc(100vw - 24px))">
          <List size="sm">
            {(
              [
                'keyTab',
                'keyMove',
                'keyDelete',
                'keyCopy',
                'keyUndo',
                'keyRedo',
                'keySave',
                'keyFull',
              ] as const
            ).map((key) => (
              <List.Item key={key}>{t(key)}</List.Item>
            ))}
          </List>
        </Popover.Dropdown>
      </Popover>
      <Button
        size="xs"
        variant={panel === 'problems' ? 'light' : 'default'}
        aria-pressed={panel === 'problems'}
        leftSection={<CheckIcon size={16} aria-hidden />}
        c={!isWrong ? undefined : 'var(--mantine-color-error)'}
        onClick={() => onPanel('problems')}
      >
        <span aria-live="polite">{checked}</span>
      </Button>
      <Button
        size="xs"
        variant={panel === 'try' ? 'light' : 'default'}
        aria-pressed={panel === 'try'}
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        onClick={() => onPanel('try')}
      >
        {t('tryIt')}
      </Button>
      <Button
        size="xs"
        variant={panel === 'versions' ? 'light' : 'default'}
        aria-pressed={panel === 'versions'}
        leftSection={<IconHistory size={16} aria-hidden />}
        onClick={() => onPanel('versions')}
      >
        {t('versions')}
      </Button>
    </Group>
  )
}

function Tool({
  label,
  disabled = false,
  onClick,
  children,
}: {
  label: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={30} aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
