/** The editor of a flow: a drawing or a list of its steps, and beside it what is known of them. */
import { fetched } from '../../../api/fetched'
import { ApiError, dataOf } from '@jackfield/sdk'
import { Box, Button, Drawer, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy, useMemo, useReducer, useState } from 'react'
import { api } from '../../../api/client'
import { complain } from '../../../api/use-action'
import { FormModal } from '../../../design/forms'
import { Loading, Page } from '../../../design/page'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { editorTexts } from '../editor-texts'
import { type Outlet, beginning, edited, isChanged } from '../model/editor'
import { cardWidth, heightOf, placesOf } from '../model/layout'
import type { Step } from '../model/steps'
import { type Flow, flowQuery, flowsKey, versionsQuery } from '../queries'
import { flowsTexts } from '../texts'
import { AddStep } from './add-step'
import { EditorBar, type Panel } from './editor-bar'
import { type Editing, EditingContext } from './editing'
import { FlowSettingsForm } from './flow-settings-form'
import { ProblemsPanel } from './problems-panel'
import { StepList } from './step-list'
import { StepSettings } from './step-settings'
import { type Simulation, type TrialForm, TryPanel, emptyTrial, triedIn } from './try-panel'
import { useFlowCheck } from './use-flow-check'
import { VersionsPanel } from './versions-panel'

/** Who reads the list does not wait for what draws. */
const FlowCanvas = lazy(async () =>
  fetched(async () => ({ default: (await import('./flow-canvas')).FlowCanvas })),
)

export function FlowEditor({ flow }: { flow: Flow }) {
  const t = useTexts(editorTexts)
  const kinds = useTexts(flowsTexts)
  const words = useTexts(common)
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const search = useSearch({ from: '/shell/admin/flows/$flowId' })
  const navigate = useNavigate({ from: '/flows/$flowId' })
  const view = search.view ?? (isWide ? 'drawing' : 'list')
  const [state, edit] = useReducer(edited, flow.nodes as readonly Step[], beginning)
  const [panel, setPanel] = useState<Panel>('step')
  const [outlet, setOutlet] = useState<{ after: Outlet | null; position?: { x: number; y: number } } | null>(
    null,
  )
  const [isRenaming, renaming] = useDisclosure()
  const [trial, setTrial] = useState<TrialForm>(emptyTrial)
  const [result, setResult] = useState<Simulation | null>(null)
  const check = useFlowCheck(state.steps)
  const { kept, save, isSaving, keep } = useSaving(flow, state.steps, {
    onSaved: (steps) => edit({ do: 'saved', steps }),
    onRefused: () => setPanel('problems'),
  })
  const hasChanged = isChanged(state)
  useLeaveGuard(hasChanged)
  useHotkeys([
    ['mod+Z', () => edit({ do: 'undo' })],
    ['mod+shift+Z', () => edit({ do: 'redo' })],
    ['mod+Y', () => edit({ do: 'redo' })],
  ])
  useHotkeys([['mod+S', () => void save(false)]], [])

  const tried = useMemo(() => triedIn(result, state.steps), [result, state.steps])
  const editing: Editing = {
    ...{ state, problems: check.problems, names: check.names, tried },
    edit: (change) => {
      edit(change)
      if (change.do === 'select' && change.id !== null && isWide && panel === 'problems') setPanel('step')
    },
    addStep: (after, position) => setOutlet({ after, ...(position && { position }) }),
  }
  const add = (type: string) => {
    if (outlet)
      edit({
        do: 'add',
        type,
        after: outlet.after,
        position: outlet.position ?? beside(outlet.after, state.steps),
      })
    setOutlet(null)
    setPanel('step')
  }
  const selected = state.steps.find(({ id }) => id === state.selected)
  const shownPanel = {
    step: selected ? (
      <StepSettings key={selected.id} step={selected} />
    ) : (
      <Text c="dimmed">{t('noneSelected')}</Text>
    ),
    try: (
      <TryPanel
        {...{ trigger: kept.trigger_type, form: trial, onForm: setTrial, result, onResult: setResult }}
      />
    ),
    versions: <VersionsPanel flowId={flow.id} />,
    problems: <ProblemsPanel onShow={() => setPanel('step')} />,
  }[panel]
  const panelTitle = {
    step: t('settingsOfStep'),
    try: t('tryIt'),
    versions: t('versions'),
    problems: t('problems'),
  }[panel]
  // The list unfolds a step's settings where they are; the drawing has no room for them.
  const isDrawerOpen = !isWide && (panel !== 'step' || (view === 'drawing' && selected !== undefined))

  return (
    <EditingContext value={editing}>
      <Page
        title={kept.title}
        description={`${kinds(kept.trigger_type)} · ${hasChanged ? t('unsaved') : words('saved')}`}
        actions={
          <Button onClick={() => void save(false)} loading={isSaving} disabled={!hasChanged}>
            {words('save')}
          </Button>
        }
      >
        <Stack gap="sm">
          <EditorBar
            {...{ panel, isCurrent: check.isCurrent }}
            onPanel={(next) => setPanel(next === panel && next !== 'step' ? 'step' : next)}
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
                  <FlowCanvas />
                </Suspense>
              ) : (
                <StepList withSettings={!isWide} />
              )}
              <Button
                mt="sm"
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} />}
                onClick={() => setOutlet({ after: null })}
              >
                {t('addUnconnected')}
              </Button>
            </Box>
            {isWide && (
              <Box
                component="section"
                aria-label={panelTitle}
                w={360}
                style={{ flexShrink: 0, maxHeight: 'calc(100dvh - 210px)', overflowY: 'auto' }}
                tabIndex={0}
                p={4}
              >
                {panel !== 'step' && (
                  <Title order={2} size="h4" mb="sm">
                    {panelTitle}
                  </Title>
                )}
                {shownPanel}
              </Box>
            )}
          </Group>
        </Stack>
        {!isWide && (
          <Drawer.Root
            opened={isDrawerOpen}
            onClose={() => {
              if (panel === 'step') edit({ do: 'select', id: null })
              setPanel('step')
            }}
            position="right"
            size="md"
          >
            <Drawer.Overlay />
            <Drawer.Content>
              {/* As a header it would be taken for another banner of the page. */}
              <Drawer.Header role="presentation">
                <Drawer.Title>{panelTitle}</Drawer.Title>
                <Drawer.CloseButton aria-label={t('closePanel')} />
              </Drawer.Header>
              <Drawer.Body>{isDrawerOpen && shownPanel}</Drawer.Body>
            </Drawer.Content>
          </Drawer.Root>
        )}
        <AddStep opened={outlet !== null} onClose={() => setOutlet(null)} onChoose={add} />
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
    </EditingContext>
  )
}

/** Where a new step goes in a drawing that somebody has arranged; undefined where it arranges itself. */
function beside(after: Outlet | null, steps: readonly Step[]): { x: number; y: number } | undefined {
  if (!steps.some(({ position }) => position)) return undefined
  const places = placesOf(steps)
  const before = places.get(after?.from ?? '')
  const x = (before?.x ?? 0) + (before ? cardWidth + 110 : 0)
  // Below all that stands in that column already.
  const column = steps.flatMap((step) => {
    const place = places.get(step.id)
    return place && Math.abs(place.x - x) < cardWidth ? [place.y + heightOf(step) + 36] : []
  })
  return { x, y: Math.max(before?.y ?? 0, ...column) }
}

/** Saves the steps, and asks first when somebody else has saved the flow since it was opened. */
function useSaving(
  flow: Flow,
  steps: readonly Step[],
  { onSaved, onRefused }: { onSaved: (steps: readonly Step[]) => void; onRefused: () => void },
) {
  const t = useTexts(editorTexts)
  const words = useTexts(common)
  const client = useQueryClient()
  const [kept, setKept] = useState(flow)
  const [isSaving, setSaving] = useState(false)
  const params = { path: { id: flow.id } }

  const keep = (saved: Flow) => {
    setKept(saved)
    client.setQueryData(flowQuery(flow.id).queryKey, saved)
    void client.invalidateQueries({ queryKey: [...flowsKey, 'list'] })
    void client.invalidateQueries({ queryKey: versionsQuery(flow.id).queryKey })
  }
  const askToOverwrite = () =>
    modals.openConfirmModal({
      title: t('overwriteQuestion'),
      children: <Text>{t('overwriteWarning')}</Text>,
      labels: { confirm: t('overwrite'), cancel: words('cancel') },
      onConfirm: () => void save(true),
    })

  async function save(isMeant: boolean): Promise<void> {
    if (isSaving) return
    setSaving(true)
    try {
      const current = isMeant ? kept : await dataOf(api.GET('/call-flows/{id}', { params }))
      if (current.updated_at !== kept.updated_at) {
        askToOverwrite()
        return
      }
      keep(await dataOf(api.PATCH('/call-flows/{id}', { params, body: { nodes: [...steps] } })))
      onSaved(steps)
      notifications.show({ message: t('savedVersion'), color: 'green' })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) complain(error)
      else {
        onRefused()
        notifications.show({ message: t('saveFailed'), color: 'red' })
      }
    } finally {
      setSaving(false)
    }
  }

  return { kept, save, isSaving, keep }
}

/** Asks before what is not saved is left. */
function useLeaveGuard(hasChanged: boolean): void {
  const t = useTexts(editorTexts)
  const words = useTexts(common)
  useBlocker({
    enableBeforeUnload: () => hasChanged,
    shouldBlockFn: async ({ current, next }) => {
      if (!hasChanged || current.pathname === next.pathname) return false
      return new Promise<boolean>((resolve) => {
        modals.openConfirmModal({
          title: t('leaveQuestion'),
          children: <Text>{t('leaveWarning')}</Text>,
          labels: { confirm: t('leave'), cancel: words('cancel') },
          confirmProps: { color: 'red' },
          onConfirm: () => resolve(false),
          onClose: () => resolve(true),
          onCancel: () => resolve(true),
        })
      })
    },
  })
}
