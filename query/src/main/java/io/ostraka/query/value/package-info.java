/** What single values mean to filters, expressions and updates: truth, absence, type names, arithmetic across types. */
package io.ostraka.query.value;
