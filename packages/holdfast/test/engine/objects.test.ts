import { Controller, Entity, RestEndpoint, schema } from 'holdfast';
import { expect, test } from 'vitest';

class User extends Entity {
  static override key = 'User';
  id = '';
}
class Team extends Entity {
  static override key = 'Team';
  id = '';
}

const payload = { user: { id: '1' }, team: { id: 't' } };
const profile = new schema.Object({ user: User, team: Team }, { optional: ['team'] });
const getProfile = new RestEndpoint({ path: '/profile', schema: profile });
const deleteTeam = new RestEndpoint({
  path: '/teams/:id',
  method: 'DELETE',
  schema: new schema.Invalidate(Team),
});

test('an optional property whose entity was deleted reads as undefined, and the rest stays', async () => {
  const controller = new Controller();
  await controller.setResponse(getProfile, payload);
  expect(controller.getResponse(getProfile).data?.team).toBeInstanceOf(Team);

  await controller.setResponse(deleteTeam, { id: 't' }, { id: 't' });

  const { data } = controller.getResponse(getProfile);
  expect(data?.user).toBeInstanceOf(User);
  expect(data?.team).toBeUndefined();
});

test('a required property whose entity was deleted makes the whole object invalid', async () => {
  const getBoth = new RestEndpoint({
    path: '/profile',
    schema: new schema.Object({ user: User, team: Team }),
  });
  const controller = new Controller();
  await controller.setResponse(getBoth, payload);
  await controller.setResponse(deleteTeam, { id: 't' }, { id: 't' });

  expect(controller.getResponse(getBoth).data).toBeUndefined();
});

test('an optional property may be missing in the payload', async () => {
  const controller = new Controller();
  await controller.setResponse(getProfile, { user: { id: '1' } });

  expect(controller.getResponse(getProfile).data).toEqual({
    user: expect.objectContaining({ id: '1' }) as unknown,
  });
});

test('a look-up by arguments finds the stored rows', async () => {
  const controller = new Controller();
  await controller.setResponse(getProfile, payload);

  const found = controller.get(profile, { id: '1' });
  expect(found?.user).toBeInstanceOf(User);
  expect(found?.team).toBeUndefined();
});
