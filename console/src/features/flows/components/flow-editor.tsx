/** The editor of a flow: a drawing or a list of its steps, with panels beside it. */
import './flow-editor.css'
import { fetched } from '../../../api/fetched'
import { Box, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy, useMemo, useReducer, useRef, useState } from 'react'
import { FormModal } from '../../../design/forms'
import { useLeaveGuard } from '../../../design/leave-guard'
import { Loading, Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'

import { useTexts } from '../../../i18n/texts'
import { type Outlet, beginning, edited, isChanged } from '../model/editor'
import { firstPanels, panelsAfter } from '../model/panels'
import type { Step } from '../model/steps'
import type { Flow, FlowDraft } from '../queries'
import { editorTexts, flowsTexts } from '../texts'
import { AddStep } from './add-step'
import { EditorBar } from './editor-bar'
import { type Editing, EditingContext } from './editing'
import { useEditorKeys } from './editor-keys'
import { FlowSettingsForm } from './flow-settings-form'
import { ProblemsPanel } from './problems-panel'
import { SidePanel } from './side-panel'
import { StepList } from './step-list'
import { StepSettings } from './step-settings'
import { type Simulation, type TrialForm, emptyTrial } from '../model/trial'
import { TryPanel } from './try-panel'
import { triedIn } from './tried-way'
import { useFlowCheck } from './use-flow-check'
import { useFullScreen } from './use-full-screen'
import { useDraft } from './use-draft'
import { FlowUse } from './flow-use'
import { useSaid } from './use-texts'
import { useStepFocus } from './use-step-focus'
import { VersionsPanel } from './versions-panel'

/** The drawing's code loads only when it is shown. */
const FlowCanvas = lazy(async () =>
  fetched(async () => ({ default: (await import('./flow-canvas')).FlowCanvas })),
)

export function FlowEditor({ flow, draft }: { flow: Flow; draft: FlowDraft | null }) {
  const t = useTexts(editorTexts)
  const kinds = useTexts(flowsTexts)
  const said = useSaid()
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const search = useSearch({ from: '/shell/admin/flows/$flowId' })
  const navigate = useNavigate({ from: '/flows/$flowId' })
  const view = search.view ?? (isWide ? 'drawing' : 'list')
  const [state, edit] = useReducer(edited, (draft ?? flow).nodes as readonly Step[], beginning)
  const [{ shown: panel, back }, changePanel] = useReducer(panelsAfter, firstPanels)
  const [outlet, setOutlet] = useState<{ after: Outlet | null; position?: { x: number; y: number } } | null>(
    null,
  )
  const opener = useRef<Element | null>(null)
  const [isRenaming, renaming] = useDisclosure()
  const [trial, setTrial] = useState<TrialForm>(emptyTrial)
  const [result, setResult] = useState<Simulation | null>(null)
  const check = useFlowCheck(state.steps)
  const hasChanged = isChanged(state)
  /** Once publishing was tried, what is missing is an error; before, it is work to do. */
  const [isStrict, setStrict] = useState(false)
  const drafting = useDraft(flow, draft, {
    ...{ steps: state.steps, hasChanged },
    onSaved: (steps) => edit({ do: 'saved', steps }),
    onRefused: () => {
      setStrict(true)
      changePanel({ do: 'open', panel: 'problems' })
      notifications.show({ message: t('publishFailed'), color: 'red' })
    },
    onPublished: (live) => {
      setStrict(false)
      notifications.show({ message: said(live), color: 'green' })
    },
  })
  const { kept, keep } = drafting
  useLeaveGuard({ hasChanged: () => hasChanged, isSearchFree: true })
  const arriving = useStepFocus(state)
  const full = useFullScreen()
  useEditorKeys({
    ...{ state, edit },
    save: () => {
      if (hasChanged) void drafting.saveNow()
    },
  })

  const tried = useMemo(() => triedIn(result, state.steps), [result, state.steps])
  const editing: Editing = {
    ...{ state, problems: check.problems, names: check.names, tried, arriving, isStrict },
    edit: (change) => {
      edit(change)
      if (change.do === 'select') changePanel({ do: 'selected', step: change.id })
    },
    addStep: (after, position) => {
      opener.current = document.activeElement
      setOutlet({ after, ...(position && { position }) })
    },
  }
  const add = (type: string) => {
    if (outlet) edit({ do: 'add', type, ...outlet })
    setOutlet(null)
    changePanel({ do: 'open', panel: 'step' })
  }
  const selected = state.steps.find(({ id }) => id === state.selected)
  const shownPanel = {
    step: selected ? <StepSettings step={selected} /> : <Text c="dimmed">{t('noneSelected')}</Text>,
    try: <TryPanel {...{ flow: kept, form: trial, onForm: setTrial, result, onResult: setResult }} />,
    versions: (
      <VersionsPanel
        flowId={flow.id}
        hasDraft={drafting.state !== 'published'}
        onDiscard={async () => {
          const live = await drafting.discard()
          if (live) edit({ do: 'begin', steps: live })
        }}
      />
    ),
    problems: <ProblemsPanel check={check} />,
  }[panel]
  // The list shows a step's settings inline; the drawing has no room for them.
  const isDrawerOpen = !isWide && (panel !== 'step' || (view === 'drawing' && selected !== undefined))

  return (
    <EditingContext value={editing}>
      <div className={full.isFull ? 'jf-full' : undefined}>
        <Page
          title={kept.title}
          up={<UpLink to="/flows">{kinds('heading')}</UpLink>}
          description={`${kinds(kept.trigger_type)} · ${t(drafting.state)}`}
          actions={
            <>
              {kept.trigger_type === 'inbound' && <FlowUse flow={kept} onUsed={keep} />}
              <Button
                onClick={() => void drafting.publish()}
                loading={drafting.isPublishing}
                disabled={drafting.state === 'published'}
              >
                {t('publish')}
              </Button>
            </>
          }
        >
          <Stack gap="sm">
            <EditorBar
              {...{ flow: kept, panel, answer: check.answer }}
              isFull={full.isFull}
              onFull={full.toggle}
              onPanel={(next) => changePanel({ do: 'toggle', panel: next })}
              onSettings={renaming.open}
            >
              <SegmentedControl
                size="xs"
                aria-label={t('view')}
                data={[
                  { value: 'drawing', label: t('drawing') },
                  { value: 'list', label: t('list') },
                ]}
                value={view}
                onChange={(next) =>
                  void navigate({ search: { view: next === 'list' ? 'list' : 'drawing' }, replace: true })
                }
              />
            </EditorBar>
            <Group align="flex-start" gap="md" wrap="nowrap">
              <Box style={{ flex: 1, minWidth: 0 }}>
                {view === 'drawing' ? (
                  <Suspense fallback={<Loading rows={8} />}>
                    <FlowCanvas isFull={full.isFull} />
                  </Suspense>
                ) : (
                  <StepList withSettings={!isWide} />
                )}
                <Button
                  mt="sm"
                  variant="default"
                  size="xs"
                  leftSection={<IconPlus size={14} />}
                  onClick={() => editing.addStep(null)}
                >
                  {t('addUnconnected')}
                </Button>
              </Box>
              <SidePanel
                {...{ panel, isWide }}
                isOpen={isWide ? panel !== 'step' || selected !== undefined || back !== null : isDrawerOpen}
                back={back}
                onBack={() => changePanel({ do: 'back' })}
                onClose={() => {
                  if (panel === 'step') edit({ do: 'select', id: null })
                  changePanel({ do: 'open', panel: 'step' })
                }}
              >
                {shownPanel}
              </SidePanel>
            </Group>
          </Stack>
          <AddStep
            opened={outlet !== null}
            onClose={() => {
              setOutlet(null)
              if (opener.current instanceof HTMLElement) opener.current.focus()
            }}
            onChoose={add}
          />
          <FormModal title={t('rename')} opened={isRenaming} onClose={renaming.close}>
            <FlowSettingsForm
              flow={kept}
              onCancel={renaming.close}
              onDone={(saved) => {
                keep(saved)
                renaming.close()
              }}
            />
          </FormModal>
        </Page>
      </div>
    </EditingContext>
  )
}
