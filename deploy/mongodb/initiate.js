// Run by mongosh beside the first member (localhost, where a new replica set lets in who makes the first user). Safe to run again:
// makes the replica set and the users when they are missing, and sets their passwords to those of the environment.
/* global db, Mongo, rs, sleep, print, process */

const { MONGODB_ROOT_PASSWORD } = process.env;
const MEMBERS = ['mongodb-1', 'mongodb-2', 'mongodb-3'];
const DATABASES = ['gateway', 'billing', 'catalog', 'checkout', 'notification', 'application'];
const NOT_YET_INITIALIZED = 94;
const ALREADY_INITIALIZED = 23;

const admin = db.getSiblingDB('admin');
const isRoot = () => {
  try {
    return admin.auth('root', MONGODB_ROOT_PASSWORD).ok === 1;
  } catch {
    return false;
  }
};

if (!isRoot()) {
  try {
    rs.initiate({
      _id: 'rs0',
      // The first member leads when it can: the users are made on this one.
      members: MEMBERS.map((name, index) => ({ _id: index, host: `${name}:27017`, priority: index === 0 ? 2 : 1 })),
    });
  } catch (error) {
    if (error.code !== ALREADY_INITIALIZED && error.code !== NOT_YET_INITIALIZED) throw error;
  }
  for (let waited = 0; !db.hello().isWritablePrimary; waited++) {
    if (waited > 60) throw new Error('no primary after 60 s');
    sleep(1000);
  }
  admin.createUser({ user: 'root', pwd: MONGODB_ROOT_PASSWORD, roles: ['root'] });
  admin.auth('root', MONGODB_ROOT_PASSWORD);
}

// Run again while another member leads: its data is the same, but only the leader takes writes.
const leader = db.hello().primary;
const leading = db.hello().isWritablePrimary
  ? admin
  : new Mongo(`mongodb://root:${MONGODB_ROOT_PASSWORD}@${leader}/?authSource=admin`).getDB('admin');
// A user for each service, with rights on its own database and no other.
for (const name of DATABASES) {
  const pwd = process.env[`MONGODB_${name.toUpperCase()}_PASSWORD`];
  if (!pwd) throw new Error(`MONGODB_${name.toUpperCase()}_PASSWORD is missing`);
  // dbAdmin: a service sets the validators of its collections when it starts.
  const user = { pwd, roles: ['readWrite', 'dbAdmin'].map((role) => ({ role, db: name })) };
  if (leading.getUser(name)) leading.updateUser(name, user);
  else leading.createUser({ user: name, ...user });
}
// Of the version before: one user for everything.
if (leading.getUser('invoicing')) leading.dropUser('invoicing');
print('the replica set is ready');
