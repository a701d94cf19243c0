/** Fields of a push credential that only one platform has. */
import { FileInput, Input, SegmentedControl, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../../i18n/texts'
import { pushCredentialsTexts } from '../texts'

export interface PlatformValues extends Record<string, unknown> {
  ios_key_id: string
  ios_team_id: string
  ios_bundle_id: string
  ios_environment: 'sandbox' | 'production'
  /** If empty, the stored key stays. */
  ios_private_key: File | null
  android_service_account: File | null
  android_package_name: string
}

interface FieldsProps {
  input: UseFormReturnType<PlatformValues>['getInputProps']
  /** The key is required. */
  isNew: boolean
}

export function IosFields({ input, isNew }: FieldsProps) {
  const t = useTexts(pushCredentialsTexts)
  return (
    <>
      <FileInput
        label={t('privateKey')}
        description={isNew ? t('privateKeyHint') : t('keepKey')}
        placeholder={t('chooseFile')}
        required={isNew}
        accept=".p8,.pem"
        {...input('ios_private_key')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('keyId')} required placeholder="ABCDE12345" {...input('ios_key_id')} />
        <TextInput label={t('teamId')} required placeholder="TEAM123456" {...input('ios_team_id')} />
      </SimpleGrid>
      <TextInput label={t('bundleId')} required placeholder="com.example.app" {...input('ios_bundle_id')} />
      <Input.Wrapper label={t('environment')} description={t('environmentHint')} labelElement="div">
        <div>
          <SegmentedControl
            aria-label={t('environment')}
            data={[
              { value: 'production', label: t('production') },
              { value: 'sandbox', label: t('sandbox') },
            ]}
            {...input('ios_environment')}
          />
        </div>
      </Input.Wrapper>
    </>
  )
}

export function AndroidFields({ input, isNew }: FieldsProps) {
  const t = useTexts(pushCredentialsTexts)
  return (
    <>
      <FileInput
        label={t('serviceAccount')}
        description={isNew ? t('serviceAccountHint') : t('keepKey')}
        placeholder={t('chooseFile')}
        required={isNew}
        accept=".json,application/json"
        {...input('android_service_account')}
      />
      <TextInput label={t('packageName')} placeholder="com.example.app" {...input('android_package_name')} />
    </>
  )
}
