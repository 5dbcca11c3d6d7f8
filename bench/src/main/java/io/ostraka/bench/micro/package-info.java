/** JMH over the parts a request spends its time in. */
package io.ostraka.bench.micro;
