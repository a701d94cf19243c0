/** The panel of the flow or of the selected step: beside the steps, or in a drawer on narrow screens. */
import { Box, Button, Drawer, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTexts } from '../../../i18n/texts'
import { editorTexts } from '../texts'
import type { Panel, Panels } from '../model/panels'

/** Enter on the selected step moves the focus here. */
export const panelId = 'flow-panel'

interface SidePanelProps {
  panel: Panel
  isWide: boolean
  /** Beside the steps it takes room only while it has something to show. */
  isOpen: boolean
  back: Panels['back']
  onBack: () => void
  onClose: () => void
  children: ReactNode
}

export function SidePanel({ panel, isWide, isOpen, back, onBack, onClose, children }: SidePanelProps) {
  const t = useTexts(editorTexts)
  const title = {
    step: t('settingsOfStep'),
    try: t('tryIt'),
    versions: t('versions'),
    problems: t('problems'),
  }[panel]
  const returning = back && (
    <Button
      variant="subtle"
      size="compact-sm"
      mb="xs"
      leftSection={<IconArrowLeft size={14} aria-hidden />}
      onClick={onBack}
    >
      {t(`back_${back}`)}
    </Button>
  )
  if (isWide && !isOpen) return null
  if (isWide) {
    return (
      <Box
        component="section"
        id={panelId}
        // Stop the drawing's shortcuts: Delete in the panel must not remove a step.
        className="nokey"
        aria-label={title}
        w={360}
        style={{ flexShrink: 0, maxHeight: 'calc(100dvh - 210px)', overflowY: 'auto' }}
        tabIndex={0}
        p={4}
        onKeyDown={backToStep}
      >
        {panel !== 'step' && (
          <Title order={2} size="h4" mb="sm">
            {title}
          </Title>
        )}
        {returning}
        {children}
      </Box>
    )
  }
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} position="right" size="md">
      <Drawer.Overlay />
      <Drawer.Content className="nokey">
        {/* A <header> would become another banner landmark. */}
        <Drawer.Header role="presentation">
          <Drawer.Title>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label={t('closePanel')} />
        </Drawer.Header>
        <Drawer.Body>
          {isOpen && returning}
          {isOpen && children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Escape returns to the step in the drawing, unless it closes a list of options. */
function backToStep({ key, target }: KeyboardEvent): void {
  if (key !== 'Escape' || !(target instanceof HTMLElement)) return
  if (target.getAttribute('aria-expanded') === 'true') return
  document.querySelector<HTMLElement>('.react-flow__node.selected')?.focus()
}
