import { dataOf } from '@jackfield/sdk'
import { Button, Group, Switch, TextInput } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { api } from '../../../api/client'
import { withCountryCode } from '../../../api/numbering-plans'
import { CountryField } from '../../../design/country-field'
import { FormFrame, FormModal, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import { belowLabel } from '../../../design/rows'
import { useTexts } from '../../../i18n/texts'
import { AclForm } from '../../trunks/components/acl-form'
import { GatewayForm } from '../../trunks/components/gateway-form'
import { aclChoices, gatewayChoices } from '../../trunks/queries'
import { type Number, numbersKey } from '../queries'
import { numbersTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  country_code: string | null
  number: string
  inbound_acl_id: string | null
  enable_outbound: boolean
  outbound_gateway_id: string | null
}

interface ConnectNumberFormProps {
  /** The workspace's country; the default. */
  country: string | undefined
  onDone: (number: Number) => void
  onCancel: () => void
}

export function ConnectNumberForm({ country, onDone, onCancel }: ConnectNumberFormProps) {
  const t = useTexts(numbersTexts)
  const [making, setMaking] = useState<'acl' | 'gateway'>()
  const sending = useApiForm<Values, Number>({
    initialValues: {
      ...{ title: '', country_code: country ?? null, number: '', inbound_acl_id: null },
      ...{ enable_outbound: true, outbound_gateway_id: null },
    },
    phoneNumbers: ['number'],
    send: async ({ title, country_code, number, inbound_acl_id, enable_outbound, outbound_gateway_id }) => {
      // Without the numbering plans the server says what is wrong with the number.
      const own = await withCountryCode(number, country_code).catch(() => null)
      return dataOf(
        api.POST('/phone-numbers/connect', {
          body: {
            title,
            country_code: own?.country ?? country_code ?? '',
            number: own?.number ?? number,
            inbound_acl_id: inbound_acl_id ?? '',
            enable_outbound,
            ...(enable_outbound && outbound_gateway_id && { outbound_gateway_id }),
          },
        }),
      )
    },
    changes: [numbersKey],
    onDone,
  })
  const { form } = sending
  const { number, country_code } = form.values
  const takeCountry = useEffectEvent((own: string) => {
    if (own !== form.getValues().country_code) form.setFieldValue('country_code', own)
  })
  // A country code that is written says more than the country that was chosen, and is shown there.
  useEffect(() => {
    let isLatest = true
    const show = (own: { country: string } | null) => {
      if (own && isLatest) takeCountry(own.country)
    }
    withCountryCode(number, country_code).then(show, () => undefined)
    return () => {
      isLatest = false
    }
  }, [number, country_code])
  const made = (field: 'inbound_acl_id' | 'outbound_gateway_id') => (saved?: { id: string }) => {
    if (saved) form.setFieldValue(field, saved.id)
    setMaking(undefined)
  }
  return (
    <>
      <FormFrame api={sending} action={t('add')} onCancel={onCancel}>
        <TextInput label={t('titleField')} required data-autofocus {...form.getInputProps('title')} />
        <Group align="flex-start" grow>
          <CountryField label={t('country')} required {...form.getInputProps('country_code')} />
          <TextInput
            label={t('national')}
            description={t('nationalHint')}
            required
            inputMode="tel"
            {...form.getInputProps('number')}
          />
        </Group>
        <Group align="flex-start" gap="xs">
          <Picker
            label={t('acl')}
            required
            description={t('aclHint')}
            source={aclChoices}
            style={{ flex: '1 1 240px' }}
            {...form.getInputProps('inbound_acl_id')}
          />
          <Button variant="default" mt={belowLabel} onClick={() => setMaking('acl')}>
            {t('newAcl')}
          </Button>
        </Group>
        <Switch
          label={t('outbound')}
          description={t('outboundHint')}
          {...form.getInputProps('enable_outbound', { type: 'checkbox' })}
        />
        {form.values.enable_outbound && (
          <Group align="flex-start" gap="xs">
            <Picker
              label={t('gateway')}
              required
              description={t('gatewayHint')}
              source={gatewayChoices}
              style={{ flex: '1 1 240px' }}
              {...form.getInputProps('outbound_gateway_id')}
            />
            <Button variant="default" mt={belowLabel} onClick={() => setMaking('gateway')}>
              {t('newGateway')}
            </Button>
          </Group>
        )}
      </FormFrame>
      <FormModal title={t('newAcl')} opened={making === 'acl'} onClose={made('inbound_acl_id')}>
        <AclForm onDone={made('inbound_acl_id')} />
      </FormModal>
      <FormModal title={t('newGateway')} opened={making === 'gateway'} onClose={made('outbound_gateway_id')}>
        <GatewayForm onDone={made('outbound_gateway_id')} />
      </FormModal>
    </>
  )
}
