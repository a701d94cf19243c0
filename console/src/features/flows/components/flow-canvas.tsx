/** The drawing of a flow. It is derived from the steps; every change in the drawing is an edit of them. */
import '@xyflow/react/dist/style.css'
import { stepTexts } from '../texts'
import './flow-canvas.css'
import { useComputedColorScheme } from '@mantine/core'
import {
  type AriaLabelConfig,
  Background,
  Controls,
  MiniMap,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  type Viewport,
  applyNodeChanges,
  useStore,
  useReactFlow,
} from '@xyflow/react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTexts } from '../../../i18n/texts'
import { type Point, cardWidth, heightOf, placesOf } from '../model/layout'
import { type Step, startType } from '../model/steps'
import { useEditing, useStepKeys } from './editing'
import { panelId } from './side-panel'
import { type DrawnStep, StepCard } from './step-card'
import { useDrawnEdges, useDrawnSteps } from './use-drawn'

const firstZoom = 0.9

/** Below this zoom no text of a step can be read. */
const leastFitZoom = 0.35

const fitting = { maxZoom: 1, padding: 0.15 }

/** Smallest zoom: a flow of 200 steps fits on the screen. */
const farthestZoom = 0.04

/** Larger flows have a minimap. */
const mapFrom = 15

const nodeTypes = { step: StepCard }

export function FlowCanvas({ isFull }: { isFull: boolean }) {
  return (
    <ReactFlowProvider>
      <Drawing isFull={isFull} />
    </ReactFlowProvider>
  )
}

function Drawing({ isFull }: { isFull: boolean }) {
  const t = useTexts(stepTexts)
  const { state, edit, addStep } = useEditing()
  const words = useDrawingWords()
  const { idOf } = useStepKeys()
  const scheme = useComputedColorScheme('light')
  const { screenToFlowPosition } = useReactFlow()
  const [nodes, setNodes] = useDrawnSteps()
  const [edges, onEdgesChange] = useDrawnEdges()
  const places = useMemo(() => placesOf(state.steps), [state.steps])
  useSelectedInView(places)
  useTriedInView()
  useFitAnew(isFull)
  const isByKeys = useRef(false)
  const pane = useRef<HTMLDivElement>(null)
  const [firstView, setFirstView] = useState<FirstView | null>(null)
  useLayoutEffect(() => {
    // The drawing begins once its pane has a size; how a flow opens does not change afterwards.
    if (pane.current) setFirstView(firstViewOf(state.steps, places, pane.current.getBoundingClientRect()))
  }, [])

  const onNodesChange = (changes: NodeChange<DrawnStep>[]) => {
    setNodes((before) =>
      applyNodeChanges(
        changes.filter(({ type }) => type !== 'remove'),
        before,
      ),
    )
    const chosen = changes.filter((change) => change.type === 'select')
    for (const { id: key, selected } of chosen.toSorted((a, b) => Number(a.selected) - Number(b.selected))) {
      const id = idOf(key)
      if (selected) edit({ do: 'select', id })
      else if (id === state.selected) edit({ do: 'select', id: null })
    }
    const moved = changes.flatMap((change) => {
      if (change.type !== 'position' || change.dragging || !change.position) return []
      const id = idOf(change.id)
      const before = places.get(id)
      const isThere =
        before?.x === Math.round(change.position.x) && before.y === Math.round(change.position.y)
      return isThere ? [] : [[id, change.position] as const]
    })
    // The others stay at their current places, arranged or not.
    if (moved.length === 0) return
    const byKeys = isByKeys.current ? moved.map(([id]) => id).join(' ') : undefined
    edit({ do: 'move', positions: new Map([...places, ...moved]), byKeys })
  }

  return (
    <div
      ref={pane}
      className="jf-flow"
      onKeyDown={(event) => toSettings(event, () => edit({ do: 'select', id: state.selected }))}
      onKeyDownCapture={() => (isByKeys.current = true)}
      onPointerDownCapture={() => (isByKeys.current = false)}
    >
      {firstView && (
        <ReactFlow<DrawnStep>
          aria-label={t('steps')}
          ariaLabelConfig={words}
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          colorMode={scheme}
          {...firstView}
          fitViewOptions={fitting}
          minZoom={farthestZoom}
          maxZoom={1.5}
          deleteKeyCode={['Delete', 'Backspace']}
          multiSelectionKeyCode={null}
          selectionKeyCode={null}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          // The library reports no selection for a step that is selected already.
          onNodeClick={(_, { id }) => edit({ do: 'select', id: idOf(id) })}
          onPaneClick={() => edit({ do: 'select', id: null })}
          onDelete={({ nodes: gone, edges: cut }) => {
            if (gone.length > 0) {
              edit({ do: 'remove', ids: gone.map(({ id }) => idOf(id)) })
              return
            }
            for (const { source, sourceHandle } of cut) {
              if (sourceHandle)
                edit({ do: 'connect', at: { from: idOf(source), outcome: sourceHandle }, to: null })
            }
          }}
          onConnect={({ source, sourceHandle, target }) => {
            if (!sourceHandle) return
            edit({ do: 'connect', at: { from: idOf(source), outcome: sourceHandle }, to: idOf(target) })
          }}
          onConnectEnd={(event, { isValid, fromNode, fromHandle }) => {
            if (isValid || !fromNode || fromHandle?.type !== 'source' || !fromHandle.id) return
            const point = 'changedTouches' in event ? event.changedTouches[0] : event
            if (!point) return
            const { x, y } = screenToFlowPosition({ x: point.clientX, y: point.clientY })
            addStep({ from: idOf(fromNode.id), outcome: fromHandle.id }, { x, y: y - 28 })
          }}
        >
          <Background />
          <Controls showInteractive={false} />
          {nodes.length > mapFrom && <MiniMap pannable zoomable ariaLabel={t('map')} />}
        </ReactFlow>
      )}
    </div>
  )
}

/** The drawing library's own texts, for screen readers, too. */
function useDrawingWords(): Partial<AriaLabelConfig> {
  const t = useTexts(stepTexts)
  return useMemo(
    () => ({
      'node.a11yDescription.default': t('drawnStep'),
      'node.a11yDescription.keyboardDisabled': t('drawnStep'),
      'node.a11yDescription.ariaLiveMessage': ({ x, y }) => t('drawnStepMoved', { x, y }),
      'edge.a11yDescription.default': t('drawnEdge'),
      'controls.ariaLabel': t('zoom'),
      'controls.zoomIn.ariaLabel': t('zoomIn'),
      'controls.zoomOut.ariaLabel': t('zoomOut'),
      'controls.fitView.ariaLabel': t('fitView'),
    }),
    [t],
  )
}

/** Enter selects a step, and on the selected one opens its settings. */
function toSettings({ key, target }: KeyboardEvent, show: () => void): void {
  if (key !== 'Enter' || !(target instanceof HTMLElement)) return
  if (!target.matches('.react-flow__node.selected')) return
  flushSync(show)
  document.getElementById(panelId)?.focus()
}

type FirstView = { fitView: true } | { defaultViewport: Viewport }

/** All steps, where they are readable in the pane; a larger flow opens at its start, at a readable zoom. */
function firstViewOf(
  steps: readonly Step[],
  places: ReadonlyMap<string, Point>,
  pane: { width: number; height: number },
): FirstView {
  const all = steps.map((step) => ({ ...(places.get(step.id) ?? { x: 0, y: 0 }), height: heightOf(step) }))
  const extent = (ends: number[], starts: number[]) =>
    (Math.max(...ends) - Math.min(...starts)) * (1 + fitting.padding)
  const width = extent(
    all.map(({ x }) => x + cardWidth),
    all.map(({ x }) => x),
  )
  const height = extent(
    all.map(({ y, height: tall }) => y + tall),
    all.map(({ y }) => y),
  )
  if (Math.min(pane.width / width, pane.height / height) >= leastFitZoom) return { fitView: true }
  const start = steps.find(({ type }) => type === startType)
  const { x, y } = places.get(start?.id ?? '') ?? { x: 0, y: 0 }
  return { defaultViewport: { x: 32 - x * firstZoom, y: 48 - y * firstZoom, zoom: firstZoom } }
}

/** Scrolls to a step that was added, or selected elsewhere. */
function useSelectedInView(places: ReadonlyMap<string, Point>): void {
  const { state } = useEditing()
  const { setCenter, getViewport } = useReactFlow()
  const { selected } = state
  const place = useRef(places)
  place.current = places
  useEffect(() => {
    const at = selected === null ? undefined : place.current.get(selected)
    const pane = document.querySelector('.jf-flow')?.getBoundingClientRect()
    if (!at || !pane) return undefined
    const { x, y, zoom } = getViewport()
    const [left, top] = [at.x * zoom + x, at.y * zoom + y]
    const isSeen =
      left >= 0 && top >= 0 && left + cardWidth * zoom <= pane.width && top + 140 * zoom <= pane.height
    if (isSeen) return undefined
    // The panel that opens with the selection takes a part of the pane: the library measures it first.
    const frame = requestAnimationFrame(() => {
      void setCenter(at.x + cardWidth / 2, at.y + 100, { zoom, duration: durationMs() })
    })
    return () => cancelAnimationFrame(frame)
  }, [selected, setCenter, getViewport])
}

/** Shows the whole way of a trial call, once it is there. */
function useTriedInView(): void {
  const { state, tried } = useEditing()
  const { keyOf } = useStepKeys()
  const { fitView } = useReactFlow()
  const way = [...tried].join('\n')
  useEffect(() => {
    const nodes = state.steps.filter(({ id }) => tried.has(id)).map(({ id }) => ({ id: keyOf(id) }))
    if (nodes.length > 0) void fitView({ ...fitting, nodes, duration: durationMs() })
    // Only when there is a new way: not while steps are moved.
  }, [way])
}

/** Fits the flow into the pane when that has got another size on purpose. */
function useFitAnew(isFull: boolean): void {
  const { fitView } = useReactFlow()
  const width = useStore((store) => store.width)
  const fitted = useRef(isFull)
  useEffect(() => {
    if (fitted.current === isFull) return
    fitted.current = isFull
    void fitView(fitting)
    // The library measures the pane a moment later.
  }, [width])
}

function durationMs(): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200
}
